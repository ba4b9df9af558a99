// Run by Bun: `client <url>` is a client with Bun's own WebSocket, `gateway` a gateway with the fake node. Each says on
// stdout, line by line, what the test wants to know, and ends when its stdin does.
import { connect } from "@rehome/client";
import { startGateway } from "../src/index.ts";
import { FakeNode } from "./fake-node.ts";

const [role, url] = process.argv.slice(2);
process.on("unhandledRejection", (error) => {
  console.log(`unhandled ${String(error)}`);
  process.exit(1);
});
process.stdin.on("end", () => process.exit(0)).resume();

if (role === "client") {
  const client = connect({ url: url!, reconnect: { baseMs: 4, capMs: 40 } });
  client.on("resumed", ({ resumed }) => console.log(`resumed ${resumed}`));
  const binding = await client.bind("Echo", "e");
  let expected = 1;
  binding.onPush((_name, value) => {
    if (value !== expected++) console.log(`push ${String(value)} out of order`);
  });
  for (let n = 1; n <= 500; n++) {
    binding.send("n", n);
    if (n % 10 === 0 && (await binding.request("echo", n)) !== n) console.log(`wrong answer to ${n}`);
  }
  console.log(`pushed ${expected - 1}`);
  await client.close();
  console.log("closed");
} else {
  const node = new FakeNode();
  node.onSend = (id, message) => {
    node.push(id, "echo", JSON.parse(new TextDecoder().decode(message.data)));
    return undefined;
  };
  const gateway = await startGateway({ node });
  console.log(gateway.url);
}
