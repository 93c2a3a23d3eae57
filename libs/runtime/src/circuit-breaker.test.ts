import { describe, expect, it } from '@jest/globals';
import { manualClock } from './clock.ts';
import { createCircuitBreaker, GivenUp, NotTried, Unanswered } from './circuit-breaker.ts';

function watched() {
  const seen: string[] = [];
  const clock = manualClock();
  let answers = false;
  const circuit = createCircuitBreaker({
    clock,
    probe: async () => {
      seen.push('probe');
      if (!answers) throw new Error('still away');
    },
    onOpen: () => void seen.push('open'),
    onClose: () => void seen.push('close'),
  });
  return { circuit, clock, seen, answer: () => void (answers = true) };
}
const never = () => new Promise<never>(() => undefined);
const fails = () => Promise.reject(new Error('connection refused'));

describe('the circuit in front of Redis', () => {
  it('hands answers on, and stays closed', async () => {
    const { circuit, seen } = watched();
    expect(await circuit.run(async () => 7)).toBe(7);
    expect(circuit.isOpen()).toBe(false);
    expect(seen).toEqual([]);
  });

  it('the first failure opens it, and whoever is still waiting waits no longer', async () => {
    const { circuit, seen } = watched();
    const waiting = [circuit.run(never), circuit.run(never)].map((call) => call.catch((error: unknown) => error));
    await expect(circuit.run(fails)).rejects.toThrow('connection refused');
    expect(await Promise.all(waiting)).toEqual([expect.any(GivenUp), expect.any(GivenUp)]);
    expect(circuit.isOpen()).toBe(true);
    expect(seen).toEqual(['open']);
    circuit.stop();
  });

  it('a call that comes while it is open is not tried', async () => {
    const { circuit } = watched();
    await circuit.run(fails).catch(() => undefined);
    let tried = false;
    const call = circuit.run(async () => (tried = true));
    await expect(call).rejects.toBeInstanceOf(NotTried);
    expect(tried).toBe(false);
    circuit.stop();
  });

  it('silence opens it too', async () => {
    const { circuit } = watched();
    const given = (await circuit.run(never).catch((error: unknown) => error)) as Error;
    expect(given).toBeInstanceOf(GivenUp);
    expect(given.cause).toBeInstanceOf(Unanswered);
    circuit.stop();
  });

  it('a stall of this process is no silence of the server', async () => {
    const { circuit } = watched();
    const answered = circuit.run(() => new Promise((resolve) => setTimeout(() => resolve('here'), 20)));
    for (const until = performance.now() + 400; performance.now() < until;) continue;
    expect(await answered).toBe('here');
    expect(circuit.isOpen()).toBe(false);
  });

  it('is probed until there is an answer, and then closes', async () => {
    const { circuit, clock, seen, answer } = watched();
    await circuit.run(fails).catch(() => undefined);
    await clock.advance(250);
    await clock.advance(250);
    answer();
    await clock.advance(250);
    expect(seen).toEqual(['open', 'probe', 'probe', 'probe', 'close']);
    expect(circuit.isOpen()).toBe(false);
  });

  it('one that opens again at once is probed more slowly, so that half a cluster does not make it flap', async () => {
    const { circuit, clock, seen, answer } = watched();
    answer();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await circuit.run(fails).catch(() => undefined);
      await clock.advance(250);
    }
    expect(seen).toEqual(['open', 'probe', 'close', 'open']);
    await clock.advance(250);
    expect(seen.slice(4)).toEqual(['probe', 'close']);
  });
});
