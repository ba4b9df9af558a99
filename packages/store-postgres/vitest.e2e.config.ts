import { shared } from "../../vitest.shared.ts";

// Processes of their own, on the built package.
export default shared({ include: ["test/**/*.e2e.ts"], testTimeout: 120_000 });
