import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build, type Rollup } from "vite";

export interface Site {
  readonly url: string;
  /** The one script of the site. */
  readonly script: string;
  close(): Promise<void>;
}

/** Bundles `page.ts` with the packages as they are built, as anyone's bundler would, and serves it. */
export async function openSite(): Promise<Site> {
  const script = await bundle(fileURLToPath(new URL("page.ts", import.meta.url)));
  const server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : '<!doctype html><script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    script,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bundle(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, minify: false, target: "es2023", rollupOptions: { input: entry } },
  });
  const outputs = (Array.isArray(built) ? built : [built]) as Rollup.RollupOutput[];
  const chunks = outputs.flatMap(({ output }) => output).filter((file) => file.type === "chunk");
  if (chunks.length !== 1) throw new Error(`expected one script, not ${chunks.length}`);
  return chunks[0]!.code;
}
