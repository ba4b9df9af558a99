import { shared } from "../../vitest.shared.ts";

// Against the built packages, in a real browser.
export default shared({ include: ["test/**/*.e2e.ts"], testTimeout: 120_000, hookTimeout: 120_000 });
