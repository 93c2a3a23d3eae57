import { describe, expect, it } from '@jest/globals';
import { silentLog } from '@postroom/runtime/log';
import { type AtCall, dying, watched } from '../../../../test/support/interleavings.ts';
import { CLASSIFY_LEASE_MS } from '../classify/lease.ts';
import { type PendingWorld, pendingWorld } from './pending-world.test-support.ts';
import { passOnce } from './poll.ts';
import { createWorker } from './worker.ts';

const DEATHS = 5;
const alive = (): boolean => false;
const open = () => new AbortController().signal;

/** One life of a classifier: it works for some passes of its poll, or until `at` ends it. */
async function live(world: PendingWorld, at: AtCall, { passes = 1, isDead = alive } = {}): Promise<void> {
  const deps = world.deps();
  const { pending, model, clock } = world;
  const worker = createWorker(
    {
      ...deps,
      mail: watched(deps.mail, at),
      mailboxWrite: watched(deps.mailboxWrite, at),
      model: { ...deps.model, ...watched({ judge: deps.model.judge }, at) },
    },
    128,
  );
  for (let pass = 0; pass < passes && !isDead(); pass += 1) {
    await clock.advance(CLASSIFY_LEASE_MS);
    await passOnce({ pending, worker, model, rulesOf: deps.rulesOf, clock, log: silentLog }, '', open());
    await worker.idle();
  }
}

/** It dies when it reads the body of the poison; everything that was under way then ends with it. */
function killedBy(poison: string, { world }: { world: PendingWorld }): { at: AtCall; isDead: () => boolean } {
  let isDead = false;
  const { mail } = world.deps();
  world.deps = ((deps) => () => ({
    ...deps(),
    mail: {
      body: (workspaceId, emailId) => {
        if (emailId === poison) isDead = true;
        return mail.body(workspaceId, emailId);
      },
    },
  }))(world.deps);
  const at: AtCall = async (name, call) => {
    if (isDead) throw new Error('killed');
    const answer = await call();
    await new Promise((resolve) => setImmediate(resolve));
    if (isDead) throw new Error(`killed in ${name}`);
    return answer;
  };
  return { at, isDead: () => isDead };
}

describe('an email that ends its classifier', () => {
  it('is quarantined after five deaths at any call behind the start of its attempt, whichever that is', async () => {
    const calls: string[] = [];
    const whole = pendingWorld();
    whole.arrive('poison');
    await live(whole, (name, call) => (calls.push(name), call()));
    const [taken, ...after] = calls;
    expect([taken, after.length > 2]).toEqual(['postponeClassification', true]);
    for (const [n, name] of after.entries()) {
      const world = pendingWorld();
      world.arrive('poison');
      for (let deaths = 0; deaths < DEATHS; deaths += 1) {
        expect(world.quarantined()).toEqual([]);
        await live(world, dying(n + 2, 'before').at);
      }
      await live(world, (_name, call) => call());
      expect([name, world.quarantined().map(({ classification }) => classification)]).toMatchObject([
        name,
        [{ attempts: DEATHS, cause: 'Error: the classifier ended during the attempt' }],
      ]);
    }
  });

  it('takes none of the emails into quarantine that were in work beside it', async () => {
    const world = pendingWorld();
    for (let n = 0; n < 60; n += 1) world.arrive(`good_${n}`, { workspaceId: `wsp_${n % 3}` });
    world.arrive('poison', { workspaceId: 'wsp_1' });
    let lives = 0;
    for (; lives < 20 && world.waiting().length > 0; lives += 1) {
      const { at, isDead } = killedBy('poison', { world });
      await live(world, at, { passes: 100, isDead });
    }
    expect(world.quarantined().map(({ _id }) => _id)).toEqual(['poison']);
    expect(new Set(world.classified.map(({ emailId }) => emailId)).size).toBe(60);
    expect(lives).toBe(DEATHS + 1);
  });
});

it.each([
  ['before', ['other', 'suspect']],
  ['after', ['suspect', 'other']],
])(
  'an email that began %s the last attempt of a suspect cannot end it by ending their process',
  async (_when, order) => {
    const world = pendingWorld();
    for (const id of order) world.arrive(id);
    const suspect = world.emails.get('suspect')!;
    suspect.classification = {
      ...suspect.classification,
      attempts: DEATHS - 1,
      cause: 'the classifier ended during the attempt',
    };
    const { at, isDead } = killedBy('other', { world });
    await live(world, at, { isDead });
    await live(world, (_name, call) => call(), { passes: 3 });
    expect(world.quarantined()).toEqual([]);
    expect(world.classified.map(({ emailId }) => emailId).toSorted()).toEqual(['other', 'suspect']);
  },
);

it('an attempt that ends without a fault of the email, as at a restart, does not count', async () => {
  const world = pendingWorld();
  world.arrive('good');
  const closing = new AbortController();
  const deps = world.deps();
  const judge = async () => {
    closing.abort(new Error('closing'));
    throw new Error('closing');
  };
  const worker = createWorker({ ...deps, model: { ...deps.model, judge } }, 8);
  await worker.begin(
    { workspaceId: 'wsp_1', mailboxId: 'mbx_wsp_1', emailId: 'good', threadId: 'good' },
    'end',
    closing.signal,
  );
  expect(world.waiting()).toMatchObject([{ _id: 'good', classification: { attempts: 0, cause: '' } }]);
});
