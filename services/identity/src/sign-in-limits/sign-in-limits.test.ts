import { beforeEach, describe, expect, it } from '@jest/globals';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import { manualClock } from '@postroom/runtime/clock';
import { createSignInLimits, type AttemptStore, type SignInLimits } from './sign-in-limits.ts';

const START = Date.parse('2090-06-01T00:00:00Z');
const PERIOD = 15 * 60_000;
const HOME = '192.0.2.77';
const OLGA = 'olga@acme.example';

const clock = manualClock(START);
let limits: SignInLimits;
beforeEach(() => {
  clock.set(START);
  limits = createSignInLimits(attemptsInMemory(), clock);
});

function attemptsInMemory(): AttemptStore {
  const counts = new Map<string, number>();
  const kept = new Map<string, Date>();
  const add = (key: string, by: number) => counts.set(key, (counts.get(key) ?? 0) + by).get(key) ?? 0;
  return {
    count: async (key) => add(key, 1),
    giveBack: async (key) => void add(key, -1),
    isKept: async (key, now) => (kept.get(key) ?? now) > now,
    keep: async (key, expiresAt) => void kept.set(key, expiresAt),
  };
}

/** The number of these guesses whose password is compared. */
async function admitted(guesses: readonly { emailKey?: string; address: string }[]): Promise<number> {
  let count = 0;
  for (const guess of guesses) {
    const isAdmitted = await limits.begin(guess, QUERY_BUDGET).then(
      () => true,
      ({ code }) => (expect(code).toBe('RATE_LIMIT_EXCEEDED'), false),
    );
    if (isAdmitted) count += 1;
  }
  return count;
}
const signIn = async (address: string, emailKey = OLGA) =>
  (await limits.begin({ emailKey, address }, QUERY_BUDGET)).succeeded();
const many = (count: number, of: (n: number) => { emailKey?: string; address: string }) =>
  Array.from({ length: count }, (_, n) => of(n));
const botnet = (n: number) => `10.${n >> 8}.${n & 255}.1`;

describe('guesses of one account', () => {
  it('from 2,000 addresses are 14 in a quarter of an hour, and the next quarter begins anew', async () => {
    const guesses = many(2_000, (n) => ({ emailKey: OLGA, address: botnet(n) }));
    expect(await admitted(guesses)).toBe(14);
    clock.set(START + PERIOD);
    expect(await admitted(guesses)).toBe(14);
  });

  it('lock nobody out of an address from which the account was opened in the last 90 days', async () => {
    await signIn(HOME);
    clock.set(START + 89 * 24 * 3_600_000);
    await admitted(many(2_000, (n) => ({ emailKey: OLGA, address: botnet(n) })));
    await expect(signIn(HOME)).resolves.toBeUndefined();
    await expect(signIn('203.0.113.1')).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });

  it('are strangers again 90 days after the last sign-in of the address', async () => {
    await signIn(HOME);
    clock.set(START + 90 * 24 * 3_600_000);
    await admitted(many(2_000, (n) => ({ emailKey: OLGA, address: botnet(n) })));
    await expect(signIn(HOME)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });

  it('from an address that opened it are 14 as well, and no more by another account of that address', async () => {
    await signIn(HOME);
    await signIn(HOME, 'mallory@acme.example');
    expect(await admitted(many(100, () => ({ emailKey: OLGA, address: HOME })))).toBe(14);
  });
});

describe('one password for many accounts', () => {
  const spray = (count: number, addressOf: (n: number) => string) =>
    admitted(many(count, (n) => ({ emailKey: `person.${n}@acme.example`, address: addressOf(n) })));

  it.each([
    ['one address', 55, () => '198.51.100.7'],
    [
      'one /64 of IPv6, however the address is written',
      55,
      (n: number) => `2001:db8:1:2:${n.toString(16)}::${n.toString(16)}`,
    ],
    ['one /48 of IPv6', 220, (n: number) => `2001:db8:1:${n.toString(16)}::1`],
    ['one /24 of IPv4', 220, (n: number) => `198.51.100.${n % 256}`],
  ] as const)('from %s is tried for %i of them', async (_where, most, addressOf) => {
    expect(await spray(1_000, addressOf)).toBe(most);
  });

  it('from the site of a person keeps them out of nothing', async () => {
    await signIn(HOME);
    await spray(1_000, (n) => `192.0.2.${n % 64}`);
    await expect(signIn(HOME)).resolves.toBeUndefined();
  });
});

describe('secrets of links', () => {
  it('are guessed 100 times from one address, and wrong passwords do not count against them', async () => {
    await admitted(many(500, () => ({ emailKey: OLGA, address: HOME })));
    expect(await admitted(many(500, () => ({ address: HOME })))).toBe(100);
  });

  it('that are right count nothing', async () => {
    for (let n = 0; n < 500; n += 1) await (await limits.begin({ address: HOME }, QUERY_BUDGET)).succeeded();
    expect(await admitted(many(1, () => ({ address: HOME })))).toBe(1);
  });
});

it('429 RATE_LIMIT_EXCEEDED for the 301st question of one address to a device or a provider', async () => {
  for (let n = 0; n < 300; n += 1) await limits.ask(HOME, QUERY_BUDGET);
  await expect(limits.ask(HOME, QUERY_BUDGET)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  await expect(limits.ask('192.0.2.78', QUERY_BUDGET)).resolves.toBeUndefined();
});
