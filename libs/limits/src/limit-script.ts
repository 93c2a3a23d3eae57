/** The end of the month that holds a moment (both epoch milliseconds, UTC), by the civil calendar from March to March. */
export const END_OF_MONTH = `
local function endOfMonth(ms)
  local days = math.floor(ms / 86400000) + 719468
  local era = math.floor(days / 146097)
  local doe = days - era * 146097
  local year = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
  local start = 365 * year + math.floor(year / 4) - math.floor(year / 100)
  local month = math.floor((5 * (doe - start) + 2) / 153)
  local first
  if month < 11 then
    first = start + math.floor((153 * (month + 1) + 2) / 5)
  else
    local after = year + 1
    first = 365 * after + math.floor(after / 4) - math.floor(after / 100) + math.floor(after / 400)
  end
  return (era * 146097 + first - 719468) * 86400000
end
`;

/**
 * The one script: every operation reads, decides and writes in one step, by the server's clock. The whole of a workspace
 * is one hash under one key, so that a cluster finds it in one slot, and it expires by itself two days after its month,
 * late enough for a refund on the 1st. The first line makes a server refuse any key that was not declared.
 *
 * The argument is JSON, which costs both sides less than an argument for every number: the calls of each key, one after the other.
 * The answer is flat: the time, and then for each call refused, opened, count, ends, used, born.
 *
 * `born` is the microsecond in which the key was made: a gateway that knew another one sees that the key was lost. Its
 * count of the month is added once, however many gateways report it: `floor` is the part that was added already.
 *
 * take: requests, limit, units, quota · refund: units, month or 0 · read: nothing · settle: see `Debt`
 */
export const LIMIT_SCRIPT = `#!lua
${END_OF_MONTH}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local key, opened, count, ends, used, born, floor
local function openMinute(since)
  if math.abs(now - opened) < 60000 then return end
  opened = since
  count = 0
end

local operations = {}
function operations.take(requests, limit, units, quota)
  if requests > 0 then
    openMinute(now)
    if count + requests > limit then return 1 end
    count = count + requests
  end
  if units > 0 then
    if used + units > quota then return 2 end
    used = used + units
  end
  return 0
end
function operations.refund(units, month)
  if month == 0 or month == ends then used = math.max(0, used - units) end
  return 0
end
function operations.read()
  return 0
end
function operations.sync(left, seen, unsynced, month, usedSeen, usedUnsynced, bornSeen)
  if left > 0 then
    openMinute(now + left - 60000)
    count = math.max(count, seen) + unsynced
  end
  if month ~= ends then return 0 end
  if bornSeen == 0 or bornSeen == born then
    used = math.max(used, usedSeen)
  else
    used = used + math.max(0, usedSeen - floor)
    floor = math.max(floor, usedSeen)
    redis.call('HSET', key, 'floor', floor)
  end
  used = math.max(0, used + usedUnsynced)
  return 0
end

local calls = cjson.decode(ARGV[1])
local answer = { now }
for index = 1, #KEYS do
  key = KEYS[index]
  local kept = redis.call('HMGET', key, 'opened', 'count', 'ends', 'used', 'born', 'floor')
  opened = tonumber(kept[1]) or 0
  count = tonumber(kept[2]) or 0
  ends = tonumber(kept[3]) or 0
  used = tonumber(kept[4]) or 0
  born = tonumber(kept[5]) or 0
  floor = tonumber(kept[6]) or 0
  if now >= ends then
    ends = endOfMonth(now)
    used = 0
    -- What was added of the month before says nothing of this one.
    floor = 0
  end
  local writes = false
  for _, call in ipairs(calls[index]) do
    writes = writes or call[1] ~= 'read'
    if writes and born == 0 then born = time[1] * 1000000 + time[2] end
    local refused = operations[call[1]](unpack(call, 2))
    local last = #answer
    answer[last + 1] = refused
    answer[last + 2] = opened
    answer[last + 3] = count
    answer[last + 4] = ends
    answer[last + 5] = used
    answer[last + 6] = born
  end
  if writes and (ends ~= tonumber(kept[3]) or opened ~= tonumber(kept[1]) or born ~= tonumber(kept[5])) then
    redis.call('HSET', key, 'opened', opened, 'count', count, 'ends', ends, 'used', used, 'born', born, 'floor', floor)
    redis.call('PEXPIREAT', key, ends + 172800000)
  elseif writes and (count ~= tonumber(kept[2]) or used ~= tonumber(kept[4])) then
    redis.call('HSET', key, 'count', count, 'used', used)
  end
end
return answer
`;
