import { createHash } from "node:crypto";

/*
 * The two scripts that run in Redis. They know rows and guards, and no rule of the protocol: those are in
 * `@rehome/core` (`RowNeeds`, `RowSnapshot`, `RowBundle`). Redis runs one script at a time and writes all of its effects to
 * replicas and to its log as one transaction, so that each is one atomic step.
 *
 * All keys come as KEYS, in the order of `KEY_NAMES`, and share a hash tag; none is built in a script. Generations and versions
 * are decimal text that is compared and passed on, never a Lua number, which holds 53 bits only. Times are doubles of
 * milliseconds, the same as in the client, computed in the same way; counts of objects and writes are small.
 *
 * What takes time is each call from Lua into Redis and each argument, so that rows are read and written many at once, lists are
 * flat, each after its length, and rows have a head that needs no parser (`rows.ts`).
 */

/** The parts of the store, each one key of Redis. */
export const KEY_NAMES = [
  /**
   * Hash. `o:key`: row of an object; `p:key`: its payload unless empty; `l:owner id`: row of a lease, and as long as that is there
   * `c:lease`: how many objects it owns and `w:lease`: writes under it; `n:node`: `generation|`, the node's newest; `last-lease`:
   * `generation|`; `format`.
   */
  "rows",
  /** Sorted set, all of score 0, in the order of bytes: the keys of active objects. */
  "active",
  /** Sorted set, all of score 0: `lease:end:key`, so that a lease's reservations stand together, in the order of their ends. */
  "reservations",
  /** Sorted set: owner ids, by the end of their leases. */
  "leases",
] as const;

/** The most ended leases that one acquisition sweeps away: some 0.2 ms. */
const SWEPT_AT_ONCE = 100;

/** How many fields go into one call: Lua's stack holds 8000. */
const FIELDS_AT_ONCE = 1000;

const HEAD = `
local call, match, sub = redis.call, string.match, string.sub
local rows, active, reservations, leases = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local time = call('TIME')
`;

/** ARGV[1]: how far a test has moved the clock, in microseconds; else 0. */
const RESERVATIONS_OF = `
local function reservations_of(lease)
  local now_us = time[1] * 1000000 + time[2] + ARGV[1]
  local after_now = '(' .. lease .. ':' .. string.format('%016.0f', now_us) .. ';'
  return call('ZLEXCOUNT', reservations, after_now, '(' .. lease .. ';')
end
`;

/** Adds the object of `key` to `out`. Written out twice, since a function takes a tenth of a read. */
const ADD_OBJECT = `
    local found = call('HMGET', rows, 'o:' .. key, 'p:' .. key)
    local row = found[1]
    out[n + 1], out[n + 2], out[n + 3], out[n + 4] = row, found[2], false, false
    if row then
      local owner_length, maker_length, start = match(row, '^%d+|(%d+)|(%d+)|()')
      local owner = sub(row, start, start + owner_length - 1)
      out[n + 3] = seen[owner] or call('HGET', rows, 'l:' .. owner)
      seen[owner] = ''
      if maker_length ~= '0' then
        local maker = sub(row, start + owner_length, start + owner_length + maker_length - 1)
        out[n + 4] = seen[maker] or call('HGET', rows, 'l:' .. maker)
        seen[maker] = ''
      end
    end
    n = n + 4
`;

/**
 * ARGV from 2 on: how many arguments say what to fetch, and these. A list of keys; then, if there is more, lists of owner ids and of
 * nodes, whether the last lease generation is wanted (1 or 0), a list of one mesh or none, and a page (from, to, rows, bytes) or nothing.
 *
 * Answers 0, seconds, microseconds; per key its row, payload, lease of its owner and lease of its reservation's owner, where ''
 * stands for a row that came before; per owner id the row, objects, writes, reservations and generation of its node; per node its
 * generation; the last lease generation; the leases of the mesh, each as above, after their number; whether the page goes on, how
 * many objects are on it, and each as above, with its key before it.
 */
const FETCH_BODY = `
  local out, n, at, seen = { 0, time[1], time[2] }, 3, 3, {}
  for i = 4, 3 + ARGV[3] do
    local key = ARGV[i]
    ${ADD_OBJECT}
  end
  at = at + ARGV[3]
  if at == 2 + ARGV[2] then return out end

  ${RESERVATIONS_OF}
  local function parts_of(row)
    local lease_length, node_length, start = match(row, '^[^|]*|(%d+)|(%d+)|()')
    local middle = start + lease_length
    return sub(row, start, middle - 1), sub(row, middle, middle + node_length - 1)
  end
  local function add_lease(row)
    out[n + 1], out[n + 2], out[n + 3], out[n + 4], out[n + 5] = row, false, false, false, false
    if row then
      local lease, node = parts_of(row)
      local found = call('HMGET', rows, 'c:' .. lease, 'w:' .. lease, 'n:' .. node)
      out[n + 2], out[n + 3], out[n + 4], out[n + 5] = found[1], found[2], reservations_of(lease), found[3]
    end
    n = n + 5
  end
  local function take()
    at = at + 1
    return ARGV[at]
  end
  for _ = 1, tonumber(take()) do add_lease(call('HGET', rows, 'l:' .. take())) end
  for _ = 1, tonumber(take()) do
    n = n + 1
    out[n] = call('HGET', rows, 'n:' .. take())
  end
  n = n + 1
  out[n] = take() == '1' and call('HGET', rows, 'last-lease')
  for _ = 1, tonumber(take()) do
    local mesh, head, count = take(), n + 1, 0
    n = head
    for _, owner in ipairs(call('ZRANGE', leases, 0, -1)) do
      local row = call('HGET', rows, 'l:' .. owner)
      local _, node = parts_of(row)
      if match(node, '^%x*@(.*)$') == mesh then
        add_lease(row)
        count = count + 1
      end
    end
    out[head] = count
  end
  if at < 2 + ARGV[2] then
    local from, to, most_rows, most_bytes = take(), take(), tonumber(take()), tonumber(take())
    local keys = call('ZRANGE', active, from, to, 'BYLEX', 'LIMIT', 0, most_rows + 1)
    local head, bytes, more, count = n, 0, 0, 0
    n = n + 2
    for i, key in ipairs(keys) do
      bytes = bytes + call('HSTRLEN', rows, 'p:' .. key)
      if i > most_rows or (i > 1 and bytes > most_bytes) then
        more = 1
        break
      end
      n = n + 1
      out[n] = key
      ${ADD_OBJECT}
      count = i
    end
    out[head + 1], out[head + 2] = more, count
  end
  return out
`;

const FETCH = `#!lua flags=no-writes
${HEAD}
${FETCH_BODY}
`;

/**
 * ARGV: as above, then the span of time; a list of fields to look at; a list of what the first of them must begin with, or be
 * missing where it is empty; the place of the writer's count among them and what it is at least, or two empty ones; a list of loads (place of
 * the count, lease, limit). Then what to write: the time up to which leases are swept away, or empty; a list of fields and values; a list of fields
 * to delete; a list of counts to change (place, difference), where the one that is not there is left alone; a list of changes of sorted
 * sets (number of the key, score or empty to remove, member).
 *
 * Looks at everything before it writes anything, since Redis does not take back what a script has written.
 * Answers 1 and the writer's count, or what there is to fetch if a guard did not hold.
 */
const APPLY = `#!lua
${HEAD}
local next = 2 + ARGV[2]
local function take()
  next = next + 1
  return ARGV[next]
end
local from, to = take(), take()

local function with_fields(count, step)
  local last = next + count
  for first = next + 1, last, ${FIELDS_AT_ONCE} do step(first, math.min(first + ${FIELDS_AT_ONCE} - 1, last)) end
  next = last
end

local first_field, found = next + 2, {}
with_fields(tonumber(take()), function(first, last)
  local values = call('HMGET', rows, unpack(ARGV, first, last))
  if first == first_field then
    found = values
  else
    for i, value in ipairs(values) do found[first - first_field + i] = value end
  end
end)
local writer

local function stands()
  local now_ms = (time[1] * 1000000 + time[2] + ARGV[1]) / 1000
  if now_ms < tonumber(from) or now_ms >= tonumber(to) then return false end
  for place = 1, tonumber(take()) do
    local row, beginning = found[place], take()
    if beginning == '' then
      if row then return false end
    elseif not row or sub(row, 1, #beginning) ~= beginning then
      return false
    end
  end
  local least
  writer, least = tonumber(take()), tonumber(take())
  if writer and (not found[writer] or tonumber(found[writer]) < least) then return false end
  local loads = tonumber(take())
  if loads == 0 then return true end
  ${RESERVATIONS_OF}
  for _ = 1, loads do
    local count, lease, limit = found[tonumber(take())], take(), tonumber(take())
    if (count or 0) + reservations_of(lease) > limit then return false end
  end
  return true
end

if not stands() then
${FETCH_BODY}
end

local ended = take()
if ended ~= '' then
  for _, owner in ipairs(call('ZRANGE', leases, '-inf', ended, 'BYSCORE', 'LIMIT', 0, ${SWEPT_AT_ONCE})) do
    local row = call('HGET', rows, 'l:' .. owner)
    if row then
      local length, start = match(row, '^[^|]*|(%d+)|%d+|()')
      local lease = sub(row, start, start + length - 1)
      call('HDEL', rows, 'l:' .. owner, 'c:' .. lease, 'w:' .. lease)
    end
    call('ZREM', leases, owner)
  end
end
with_fields(tonumber(take()), function(first, last) call('HSET', rows, unpack(ARGV, first, last)) end)
with_fields(tonumber(take()), function(first, last) call('HDEL', rows, unpack(ARGV, first, last)) end)
local counts, changed = {}, 0
local function change(place, by)
  if not found[place] then return end
  found[place] = string.format('%.0f', found[place] + by)
  counts[changed + 1], counts[changed + 2] = ARGV[first_field + place - 1], found[place]
  changed = changed + 2
end
for _ = 1, tonumber(take()) do change(tonumber(take()), take()) end
if writer then change(writer, 1) end
for first = 1, changed, ${FIELDS_AT_ONCE} do
  call('HSET', rows, unpack(counts, first, math.min(first + ${FIELDS_AT_ONCE} - 1, changed)))
end
for _ = 1, tonumber(take()) do
  local key, score, member = KEYS[tonumber(take())], take(), take()
  if score == '' then call('ZREM', key, member) else call('ZADD', key, score, member) end
end
return { 1, writer and tonumber(found[writer]) or 0 }
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
