import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import { NoMoreAttempts, RetryLater } from '@postroom/events/bus';
import { type ManualClock, manualClock } from '@postroom/runtime/clock';
import type { Classified } from './sweep-store.ts';
import { classifiedBefore, sweepWorld, type SweepWorldOptions } from './sweep-world.test-support.ts';

let clock: ManualClock;
beforeEach(() => {
  clock = manualClock('2026-03-01T12:00:00Z');
});

const MINUTE_MS = 60_000;
const world = (workspaces: Record<string, Classified[]>, options?: SweepWorldOptions) =>
  sweepWorld(clock, workspaces, options);
const classified = (_id: string, ageMs: number) => classifiedBefore(clock, _id, ageMs);
const ago = (ms: number) => new Date(clock.now() - ms);

describe('the sweep for forwards', () => {
  it('forwards within ten seconds of the start what was classified and has no line in the log', async () => {
    const { asked, pass, close } = world({ w: [classified('lost', MINUTE_MS), classified('later', MINUTE_MS / 2)] });
    await pass(10_000);
    await close();
    expect(asked).toEqual(['lost', 'later']);
  });

  it('asks about no email twice, and for a workspace without news asks three questions', async () => {
    const { asked, queries, pass, close } = world({ w: [classified('lost', MINUTE_MS)] });
    await pass(10_000);
    queries.length = 0;
    await pass(MINUTE_MS);
    await close();
    expect(asked).toEqual(['lost']);
    expect(queries.filter((query) => query === 'email')).toEqual([]);
    expect(queries.length).toBeLessThanOrEqual((MINUTE_MS / 5_000) * 4);
  });

  it('forwards within two minutes what a process that stood still has stored behind emails that were read before', async () => {
    const kept = [classified('sound', 0)];
    const { asked, pass, close } = world({ w: kept });
    const late = classified('late', 1_000);
    await pass(20_000);
    kept.unshift(late);
    await pass(2 * MINUTE_MS);
    await close();
    expect(asked).toEqual(['sound', 'late']);
  });

  it('leaves out what its own consumer has handled, and what came before the rule was made or changed', async () => {
    const handled = world({ w: [classified('handled', MINUTE_MS)] }, { recent: ['handled'] });
    const older = world({ w: [classified('older', MINUTE_MS)] }, { changedAt: ago(MINUTE_MS / 2) });
    await handled.pass(10_000);
    await handled.close();
    await older.close();
    expect([handled.queries.includes('email'), older.asked]).toEqual([false, []]);
  });

  it('forwards an email behind a change of its rule that the clock of another service puts before it', async () => {
    const { asked, pass, close } = world({ w: [classified('lost', MINUTE_MS)] }, { changedAt: ago(MINUTE_MS - 3_000) });
    await pass(10_000);
    await close();
    expect(asked).toEqual(['lost']);
  });

  it('reads no email by itself of fifty that another process has seen to', async () => {
    const ids = Array.from({ length: 50 }, (_, n) => `a${n}`);
    const kept = [...ids, 'lost'].map((id) => classified(id, MINUTE_MS));
    const { asked, queries, pass, close } = world({ w: kept }, { elsewhere: ids });
    await pass(20_000);
    await close();
    expect(asked).toEqual(['lost']);
    expect(queries.filter((query) => query === 'email')).toHaveLength(1);
    expect(queries.filter((query) => ['emails', 'logged'].includes(query)).length).toBeLessThanOrEqual(4);
  });

  it('takes the workspaces in rotation: a thousand lost forwards of one hold up none of another', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => classified(`a${String(n).padStart(4, '0')}`, 10 * MINUTE_MS));
    const { asked, pass, close } = world({ a: many, b: [classified('b', MINUTE_MS)] });
    await pass(10_000);
    await close();
    expect(asked).toContain('b');
    expect(asked.length).toBeLessThanOrEqual(101);
  });

  it.each([
    ['is the first of its workspace', false],
    ['is active again after two hours', true],
  ])('finds a lost forward within seconds where a rule %s, however long it runs already', async (_when, hadRule) => {
    const workspaces: Record<string, Classified[]> = hadRule ? { w: [] } : {};
    const { asked, pass, close } = world(workspaces, { changedAt: ago(-90 * MINUTE_MS) });
    const before = Array.from({ length: 1_000 }, (_, n) => classified(`before_${n}`, 0));
    await pass(10_000);
    delete workspaces['w'];
    await pass(120 * MINUTE_MS);
    workspaces['w'] = [...before, classified('lost', MINUTE_MS)];
    await pass(10_000);
    await close();
    expect(asked).toEqual(['lost']);
  });

  it('finds a lost forward within half a minute behind two thousand emails that its own consumer has handled', async () => {
    const ids = Array.from({ length: 2_000 }, (_, n) => `a${String(n).padStart(4, '0')}`);
    const handled = ids.map((id) => classified(id, 10 * MINUTE_MS));
    const { asked, pass, close } = world({ w: [...handled, classified('lost', MINUTE_MS)] }, { recent: ids });
    await pass(30_000);
    await close();
    expect(asked).toEqual(['lost']);
  });

  it('goes on behind an email that fails, and comes back when a service was unavailable', async () => {
    const { asked, fails, pass, close } = world({
      w: [classified('poison', 2 * MINUTE_MS), classified('sound', MINUTE_MS)],
    });
    const unavailable = Object.assign(new Error('x'), { name: 'MongoNetworkError' });
    fails(() => unavailable);
    await pass(10_000);
    expect(asked).toEqual([]);
    fails((emailId) => (emailId === 'poison' ? new ApiError('INTERNAL_ERROR') : undefined));
    await pass(10_000);
    await close();
    expect(asked).toEqual(['sound']);
  });

  it('makes a forward whose process died at it once that attempt is over, and holds up nothing meanwhile', async () => {
    const { asked, fails, pass, close } = world({
      w: [classified('in work', 2 * MINUTE_MS), classified('other', MINUTE_MS)],
    });
    fails((emailId) => (emailId === 'in work' ? new RetryLater(5_000) : undefined));
    await pass(MINUTE_MS);
    expect(asked).toEqual(['other']);
    fails(() => undefined);
    await pass(10_000);
    await close();
    expect(asked).toEqual(['other', 'in work']);
  });

  it.each([
    ['fails for any other reason, five times', () => new ApiError('INTERNAL_ERROR'), 5],
    ['has no attempts left, once', () => new NoMoreAttempts('its process ended'), 1],
  ])('tries an email that %s', async (_how, error, tries) => {
    const tried: string[] = [];
    const { fails, pass, close } = world({ w: [classified('poison', MINUTE_MS)] });
    fails((emailId) => (tried.push(emailId), error()));
    await pass(MINUTE_MS);
    await close();
    expect(tried).toHaveLength(tries);
  });

  it('holds fifty emails of a workspace at once, and goes on as soon as one of them is seen to', async () => {
    const many = Array.from({ length: 60 }, (_, n) => classified(`a${String(n).padStart(2, '0')}`, 10 * MINUTE_MS));
    const tried = new Set<string>();
    const { asked, fails, pass, close } = world({ w: many });
    fails((emailId) => (tried.add(emailId), new RetryLater(5_000)));
    await pass(MINUTE_MS);
    expect(tried.size).toBe(50);
    fails(() => undefined);
    await pass(15_000);
    await close();
    expect(asked.toSorted()).toEqual(many.map(({ _id }) => _id));
  });
});
