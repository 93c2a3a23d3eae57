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
 * take: requests, limit, units, quota · refund: units, month or 0 · settle: see `Debt`
 */
export const LIMIT_SCRIPT = `#!lua
${END_OF_MONTH}
local key = KEYS[1]
local op = ARGV[1]
local function arg(n) return tonumber(ARGV[n]) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local kept = redis.call('HMGET', key, 'opened', 'count', 'ends', 'used')
local opened = tonumber(kept[1]) or 0
local count = tonumber(kept[2]) or 0
local ends = tonumber(kept[3]) or 0
local used = tonumber(kept[4]) or 0
local fresh = now >= ends
if fresh then
  ends = endOfMonth(now)
  used = 0
end
local open = math.abs(now - opened) < 60000
local refused = 0

if op == 'take' then
  local requests, limit, units, quota = arg(2), arg(3), arg(4), arg(5)
  if requests > 0 then
    if not open then
      opened = now
      count = 0
    end
    if count + requests > limit then refused = 1 else count = count + requests end
  end
  if refused == 0 and units > 0 then
    if used + units > quota then refused = 2 else used = used + units end
  end
elseif op == 'refund' then
  local month = arg(3)
  if month == 0 or month == ends then used = math.max(0, used - arg(2)) end
elseif op == 'settle' then
  local left, seen, owed = arg(2), arg(3), arg(4)
  if left > 0 then
    if not open then
      opened = now + left - 60000
      count = 0
    end
    count = math.max(count, seen) + owed
  end
  if arg(5) == ends then used = math.max(0, math.max(used, arg(6)) + arg(7)) end
end

redis.call('HSET', key, 'opened', opened, 'count', count, 'ends', ends, 'used', used)
if fresh then redis.call('PEXPIREAT', key, ends + 172800000) end
return { refused, opened, count, ends, used, now }
`;
