/** What `rehome --help` and `rehome COMMAND --help` say. */

export const commandNames = ["codec", "verify", "inspect"] as const;
export type CommandName = (typeof commandNames)[number];

export const generalUsage = `Usage: rehome COMMAND [OPTIONS]

Tools for the Rehome service protocol (docs/wire.md, docs/protocol.md).

  rehome inspect HEX         what the bytes of a record mean, or where and why they mean nothing
  rehome verify [FILE...]    run the test vectors, against this implementation or against your program
  rehome codec               answer questions about the wire, one JSON line each

  rehome COMMAND --help      more about a command
  rehome --version
`;

export const commandUsage: Readonly<Record<CommandName, string>> = {
  codec: `Usage: rehome codec

Reads JSON lines from the standard input and answers each by one JSON line, in order, until the input ends.

  {"op":"encode","value":V}                            {"frames":["hex",...]}
  {"op":"decode","frames":["hex",...]}                 {"value":V}    with "operation":"actorJoin" for the tail of a reply
  {"op":"identityKey","value":V}                       {"key":"..."}
  {"op":"authorityKey","kind":"actor","id":"..."}      {"key":"..."}  or "kind":"spot"
  {"op":"parseAuthorityKey","key":"..."}               {"kind":"...","id":"..."}
  {"op":"crc32c","hex":["hex",...]}                    {"crc32c":N}   over the pieces, in order
  {"op":"durable","hex":"hex"}                         the decoded envelope
  {"op":"scenario","machine":"...","config":{},        {"effects":[[...],...]}  for each step what the machine
   "steps":[{"atMs":N,"input":{...}},...]}             wants done (test-vectors/scenarios/README.md)

A refusal is {"error":{"code","field","offset","message"}}; field and offset may be absent. Values are in the JSON form of
docs/wire.md, section 7.
`,
  verify: `Usage: rehome verify [OPTIONS] [FILE...]

Runs vector files, the shipped ones by default, and shows every case that gives something else than it should.

  --impl COMMAND      verify this program, which speaks the lines of \`rehome codec\`, instead of this implementation
  --deadline-ms N     how long it may take over an answer (10000)
  --lacks NEED        leave out the cases that its language cannot say: lone-surrogates
  --show N            how many differing cases of each file are shown (20)

Exit code 0: no difference. 1: a difference, or the program died, hung or broke the protocol. 2: a bad file, or bad usage.
`,
  inspect: `Usage: rehome inspect [OPTIONS] [HEX...]

Shows the frames of a record as a table: offset, bytes, field, value. Frames are separated by blanks, line ends or commas.
With - or nothing at all they come from the standard input.

  --operation NAME    what a reply answers (actorJoin, actorLookup, ...): it selects the reply's tail

Exit code 0: a record. 1: refused, and the table ends where and why. 2: not hex, or bad usage.
`,
};
