import { shared } from "../../vitest.shared.ts";

// The built command, as a process of its own.
export default shared({ include: ["test/**/*.e2e.ts"], testTimeout: 120_000 });
