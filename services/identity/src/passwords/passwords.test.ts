import { describe, expect, it } from '@jest/globals';
import { createPasswords } from './passwords.ts';

const passwords = createPasswords({ cost: 16 });

describe('passwords', () => {
  it('match their own hash, whichever code points the keyboard wrote', async () => {
    const stored = await passwords.hash('Garde-Café 12');
    expect(await passwords.matches('Garde-Cafe\u0301 12', stored, 'here')).toBe(true);
    expect(await passwords.matches('garde-café 12', stored, 'here')).toBe(false);
  });

  it('have a hash of their own each time', async () => {
    const [one, other] = [await passwords.hash('the same one'), await passwords.hash('the same one')];
    expect(one.hash).not.toBe(other.hash);
  });

  it('match nothing where nobody has one', async () => {
    expect(await passwords.matches('', null, 'here')).toBe(false);
  });

  it('are still read after the cost was raised', async () => {
    const stored = await createPasswords({ cost: 32 }).hash('an older one');
    expect(await passwords.matches('an older one', stored, 'here')).toBe(true);
  });

  it('are computed for others while one address asks for many, and refused past a bound', async () => {
    const busy = createPasswords({ cost: 16, atOnce: 1, mostWaiting: 2 });
    const stored = await busy.hash('a password');
    const order: string[] = [];
    const ask = (from: string) =>
      busy.matches('a password', stored, from).then(
        () => order.push(from),
        ({ code }) => order.push(`${from}: ${code as string}`),
      );
    const asked = [ask('flood'), ask('flood'), ask('flood'), ask('flood'), ask('calm')];
    await Promise.all(asked);
    expect(order).toEqual(['flood: RATE_LIMIT_EXCEEDED', 'flood', 'calm', 'flood', 'flood']);
  });
});
