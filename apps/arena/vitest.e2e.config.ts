import { shared } from "../../vitest.shared.ts";

export default shared({ include: ["test/**/*.e2e.ts"], testTimeout: 120_000 });
