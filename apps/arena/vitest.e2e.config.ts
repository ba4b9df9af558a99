import { shared } from "../../vitest.shared.ts";

// One arena at a time: each has six processes, and a machine may have two cores.
export default shared({ include: ["test/**/*.e2e.ts"], testTimeout: 120_000, fileParallelism: false });
