import { createHash } from "node:crypto";

/*
 * The two scripts that run in Redis. They know rows and guards, and no rule of the protocol: those are in
 * `@rehome/core` (`RowNeeds`, `RowSnapshot`, `RowBundle`). Redis runs one script at a time and writes all of its effects to
 * replicas and to its log as one transaction, so that each is one atomic step.
 *
 * All keys come as KEYS, in the order of `KEY_NAMES`, and share a hash tag; none is built in a script. Arguments are flat, each
 * list after its length, and rows have a head that needs no parser (`rows.ts`): decoding JSON in Lua took most of a request.
 * Generations and versions are decimal text that is compared and passed on, never a Lua number, which holds 53 bits only. Times
 * are doubles of milliseconds, the same as in the client, computed in the same way.
 */

/** The parts of the store, each one key of Redis. */
export const KEY_NAMES = [
  /** Hash: key → row of an object. */
  "objects",
  /** Hash: key → payload; none for an empty one. */
  "payloads",
  /** Sorted set, all of score 0, in the order of bytes: the keys of active objects. */
  "active",
  /** Sorted set, all of score 0: `lease:end:key`, so that a lease's reservations stand together, in the order of their ends. */
  "reservations",
  /** Hash: owner id → row of a lease. */
  "leases",
  /** Sorted set: owner id, by the end of its lease. */
  "lease-ends",
  /** Hash: `o:lease` → objects that it owns, `w:lease` → writes under it. There as long as the lease is. */
  "counts",
  /** Hash: node → its newest generation. */
  "nodes",
  /** Hash: the format of all this, the last lease generation. */
  "store",
] as const;

/** The most ended leases that one acquisition sweeps away: some 0.2 ms. */
const SWEPT_AT_ONCE = 100;

/**
 * ARGV: how far tests have moved the clock; the number of arguments that say what to fetch, and these: keys, owner ids, nodes,
 * the last lease generation (1 or empty), mesh (1 and its name, or empty), page (from, to, rows, bytes, or empty).
 *
 * `fetch` answers: seconds and microseconds; per object its row and its payload; the rows of leases that came with the objects; per
 * lease that was named its row, counts of objects and of writes, of reservations, and its node's generation; node generations; the last
 * lease generation; the same five as above per lease of the mesh; whether a page goes on, then per object its key, row and payload.
 */
const COMMON = `
local objects, payloads, active, reservations, leases = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local lease_ends, counts, nodes, store = KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local call, match, sub = redis.call, string.match, string.sub
local time = call('TIME')
local now_us = time[1] * 1000000 + time[2] + ARGV[1]

local function reservations_of(lease_id)
  local after_now = '(' .. lease_id .. ':' .. string.format('%016.0f', now_us) .. ';'
  return call('ZLEXCOUNT', reservations, after_now, '(' .. lease_id .. ';')
end

local function fetch()
  local at = 2
  local function take()
    at = at + 1
    return ARGV[at]
  end
  local rows, brought, seen = {}, {}, {}
  local function bring(owner_id)
    if seen[owner_id] then return end
    seen[owner_id] = true
    local row = call('HGET', leases, owner_id)
    if row then brought[#brought + 1] = row end
  end
  local function bring_leases_of(row)
    local owner_length, maker_length, start = match(row, '^%d+|%d|(%d+)|(%d+)|()')
    bring(sub(row, start, start + owner_length - 1))
    if maker_length ~= '0' then bring(sub(row, start + owner_length, start + owner_length + maker_length - 1)) end
  end
  local function payload_of(key, row)
    return match(row, '^%d+|(%d)') == '1' and call('HGET', payloads, key)
  end
  local function with_counts(into, row)
    if not row then
      into[#into + 1] = false
      return
    end
    local lease_id, length, start = match(row, '^[^|]*|([^|]*)|(%d+)|()')
    local count = call('HMGET', counts, 'o:' .. lease_id, 'w:' .. lease_id)
    local generation = call('HGET', nodes, sub(row, start, start + length - 1))
    into[#into + 1] = { row, count[1], count[2], reservations_of(lease_id), generation }
  end
  for i = 1, 2 * tonumber(take()), 2 do
    local key = take()
    local row = call('HGET', objects, key)
    rows[i], rows[i + 1] = row, row and payload_of(key, row)
    if row then bring_leases_of(row) end
  end
  local named, generations, last, mesh, page = {}, {}, false, {}, {}
  for _ = 1, tonumber(take()) do with_counts(named, call('HGET', leases, take())) end
  for i = 1, tonumber(take()) do generations[i] = call('HGET', nodes, take()) end
  if take() == '1' then last = call('HGET', store, 'last-lease') end
  if take() == '1' then
    local name = take()
    for _, row in ipairs(call('HVALS', leases)) do
      local length, start = match(row, '^[^|]*|[^|]*|(%d+)|()')
      if match(sub(row, start, start + length - 1), '^%x*@(.*)$') == name then with_counts(mesh, row) end
    end
  end
  local from = take()
  if from ~= '' then
    local to, most_rows, most_bytes = take(), tonumber(take()), tonumber(take())
    local keys = call('ZRANGE', active, from, to, 'BYLEX', 'LIMIT', 0, most_rows + 1)
    local bytes, more, found = 0, 0, {}
    for i, key in ipairs(keys) do
      bytes = bytes + call('HSTRLEN', payloads, key)
      if i > most_rows or (i > 1 and bytes > most_bytes) then
        more = 1
        break
      end
      local row = call('HGET', objects, key)
      found[i] = { key, row, payload_of(key, row) }
      bring_leases_of(row)
    end
    page = { more, found }
  end
  return { time[1], time[2], rows, brought, named, generations, last, mesh, page }
end
`;

const FETCH = `#!lua flags=no-writes
${COMMON}
return fetch()
`;

/**
 * ARGV: as above, then the guards: the span of time, the lease of the writer and its least count of writes (or empty and 0), objects,
 * leases, nodes, the last lease generation (or empty), loads; then the writes: objects, the time up to which leases are swept away (or
 * empty), leases, counts, nodes, the last lease generation (or empty).
 *
 * Looks at everything before it writes anything, since Redis does not take back what a script has written.
 * Answers `{1, writes under the lease}`, or `{0, what fetch answers}` if a guard did not hold.
 */
const APPLY = `#!lua
${COMMON}
local at = 2 + ARGV[2]
local function take()
  at = at + 1
  return ARGV[at]
end

local from, to, writer, least_writes = take(), take(), take(), take()

local function is_at(row, version)
  if version == '' then return not row end
  return row and sub(row, 1, #version + 1) == version .. '|'
end

local function stands()
  local now_ms = now_us / 1000
  if now_ms < tonumber(from) or now_ms >= tonumber(to) then return false end
  if writer ~= '' then
    local written = call('HGET', counts, 'w:' .. writer)
    if not written or tonumber(written) < tonumber(least_writes) then return false end
  end
  for _ = 1, tonumber(take()) do
    if not is_at(call('HGET', objects, take()), take()) then return false end
  end
  for _ = 1, tonumber(take()) do
    if not is_at(call('HGET', leases, take()), take()) then return false end
  end
  for _ = 1, tonumber(take()) do
    if (call('HGET', nodes, take()) or '0') ~= take() then return false end
  end
  local last = take()
  if last ~= '' and (call('HGET', store, 'last-lease') or '0') ~= last then return false end
  for _ = 1, tonumber(take()) do
    local lease_id, limit = take(), tonumber(take())
    if (call('HGET', counts, 'o:' .. lease_id) or 0) + reservations_of(lease_id) > limit then return false end
  end
  return true
end

if not stands() then return { 0, fetch() } end

local function forget_lease(owner_id)
  local row = call('HGET', leases, owner_id)
  if not row then return end
  local lease_id = match(row, '^[^|]*|([^|]*)|')
  call('HDEL', leases, owner_id)
  call('ZREM', lease_ends, owner_id)
  call('HDEL', counts, 'o:' .. lease_id, 'w:' .. lease_id)
end

for _ = 1, tonumber(take()) do
  local key, row, payload_action, payload, active_action, old_member, new_member =
    take(), take(), take(), take(), take(), take(), take()
  call('HSET', objects, key, row)
  if payload_action == 'set' then call('HSET', payloads, key, payload) end
  if payload_action == 'drop' then call('HDEL', payloads, key) end
  if active_action == 'add' then call('ZADD', active, 0, key) end
  if active_action == 'drop' then call('ZREM', active, key) end
  if old_member ~= '' then call('ZREM', reservations, old_member) end
  if new_member ~= '' then call('ZADD', reservations, 0, new_member) end
end
local ended = take()
if ended ~= '' then
  local owner_ids = call('ZRANGE', lease_ends, '-inf', ended, 'BYSCORE', 'LIMIT', 0, ${SWEPT_AT_ONCE})
  for _, owner_id in ipairs(owner_ids) do forget_lease(owner_id) end
end
for _ = 1, tonumber(take()) do
  local owner_id, action, lease_id, ends, row = take(), take(), take(), take(), take()
  if action ~= 'put' then forget_lease(owner_id) end
  if action == 'make' then call('HSET', counts, 'o:' .. lease_id, '0', 'w:' .. lease_id, '0') end
  if action ~= 'drop' then
    call('HSET', leases, owner_id, row)
    call('ZADD', lease_ends, ends, owner_id)
  end
end
for _ = 1, tonumber(take()) do
  local lease_id, by = take(), take()
  if call('HEXISTS', counts, 'o:' .. lease_id) == 1 then call('HINCRBY', counts, 'o:' .. lease_id, by) end
end
for _ = 1, tonumber(take()) do call('HSET', nodes, take(), take()) end
local last = take()
if last ~= '' then call('HSET', store, 'last-lease', last) end
local written = 0
if writer ~= '' and call('HEXISTS', counts, 'w:' .. writer) == 1 then
  written = call('HINCRBY', counts, 'w:' .. writer, 1)
end
return { 1, written }
`;

export interface Script {
  readonly source: string;
  readonly sha1: string;
}

function script(source: string): Script {
  return { source, sha1: createHash("sha1").update(source).digest("hex") };
}

export const FETCH_SCRIPT = script(FETCH);
export const APPLY_SCRIPT = script(APPLY);
