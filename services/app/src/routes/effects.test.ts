import { expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import { type AtCall, dying, watched } from '../../../../test/support/interleavings.ts';
import type { PeriodUndoAnswer } from '../answers/answers.ts';
import { effectAppRoutes } from './effects.ts';
import type { AppServices } from './services.ts';
import type { WorkspaceVisit } from './route.ts';

const DAY = { from: '2026-03-02T00:00:00Z', to: '2026-03-02T23:59:59Z' };
const EMAILS = 5;
const PAGE = 2;

/** Emails that a rule labeled on one day; a person took the label off the third, and the last was labeled a day before. */
function world() {
  const emails = Array.from({ length: EMAILS }, (_, n) => ({
    id: `eml_${n}`,
    at: n === EMAILS - 1 ? '2026-03-01T12:00:00Z' : '2026-03-02T12:00:00Z',
    isUndone: false,
    isChanged: n === 2,
  }));
  const effectOf = ({ id, at, isUndone }: (typeof emails)[number], ruleId = 'air_1') => ({
    id: `eff_${id}_${ruleId}`,
    kind: 'label',
    ruleId,
    at,
    ...(isUndone && { undoneAt: at }),
  });
  const undone: string[] = [];
  const process = (at: AtCall) =>
    ({
      labelRule: { getAiLabelRule: async () => ({}) },
      mailboxRead: watched(
        {
          listDecisions: async ({ cursor }: { cursor?: string }) => {
            const first = Number(cursor ?? 0);
            const items = emails
              .slice(first, first + PAGE)
              .map(({ id }) => ({ emailId: id, email: {}, applies: true }));
            const next = first + PAGE;
            return { items, ...(next < EMAILS && { nextCursor: String(next) }), hasMore: next < EMAILS };
          },
          explainEmail: async ({ emailId }: { emailId: string }) => {
            const email = emails.find(({ id }) => id === emailId) as (typeof emails)[number];
            // Another rule has labeled it too.
            return { effects: [effectOf(email), effectOf(email, 'air_2')] };
          },
        },
        at,
      ),
      mailboxWrite: watched(
        {
          undoEffect: async ({ emailId, effectId }: { emailId: string; effectId: string }) => {
            const email = emails.find(({ id }) => id === emailId) as (typeof emails)[number];
            if (email.isChanged) throw new ApiError('CONFLICT', { message: 'A person removed the label since.' });
            email.isUndone = true;
            undone.push(effectId);
            return {};
          },
        },
        at,
      ),
    }) as unknown as AppServices;
  const run = async (at: AtCall = (_, go) => go()) => {
    const route = effectAppRoutes.find(({ path }) => path.endsWith('/ai-label-rules/{ruleId}/undo'));
    const visit = { workspaceId: 'w', personId: 'per_1' } as WorkspaceVisit;
    const answers: PeriodUndoAnswer[] = [];
    for (let cursor: string | null | undefined; cursor !== null; cursor = answers.at(-1)?.nextCursor) {
      const input = { params: { ruleId: 'air_1' }, query: {}, body: { ...DAY, cursor } };
      answers.push((await route?.call(input, process(at), visit)) as PeriodUndoAnswer);
    }
    return { undone: answers.reduce((sum, one) => sum + one.undone, 0), stays: answers.flatMap(({ stays }) => stays) };
  };
  return { run, emails, undone };
}

const STAYS = [{ emailId: 'eml_2', because: 'A person removed the label since.' }];

it('the undo of a period takes back the effects of the rule in it, page by page, and names those that stay', async () => {
  const { run, undone } = world();
  expect(await run()).toEqual({ undone: 3, stays: STAYS });
  expect(undone).toEqual(['eff_eml_0_air_1', 'eff_eml_1_air_1', 'eff_eml_3_air_1']);
});

it('an undo of a period that dies at any of its calls leaves each effect before or after, and a repeat finishes it', async () => {
  for (const when of ['before', 'after'] as const) {
    for (let deadly = 1; ; deadly += 1) {
      const { run, undone } = world();
      const { at, isDead } = dying(deadly, when);
      await run(at).catch(() => undefined);
      const before = undone.length;
      expect(await run()).toEqual({ undone: 3 - before, stays: STAYS });
      expect(undone.toSorted()).toEqual(['eff_eml_0_air_1', 'eff_eml_1_air_1', 'eff_eml_3_air_1']);
      if (!isDead()) break;
    }
  }
});

it('a failure of a service ends the call, and is not told as the reason why an effect stays', async () => {
  const { run } = world();
  const failing: AtCall = (name, go) => (name === 'undoEffect' ? Promise.reject(new ApiError('INTERNAL_ERROR')) : go());
  await expect(run(failing)).rejects.toThrow(ApiError);
});

/** An email with effects of two services; its reply has left. */
function emailWorld() {
  const undone = new Map<string, number>();
  const effects = ['label', 'draft', 'forward', 'reply'].map((kind) => ({ id: `eff_${kind}`, kind, ruleId: 'air_1' }));
  const undoEffect = async ({ effectId }: { effectId: string }) => {
    if (effectId === 'eff_reply') throw new ApiError('CONFLICT', { message: 'It has left.' });
    undone.set(effectId, (undone.get(effectId) ?? 0) + 1);
    return {};
  };
  const explainEmail = async () => ({
    effects: effects.map((effect) => ({ ...effect, ...(undone.has(effect.id) && { undoneAt: DAY.from }) })),
  });
  const listWaitingForwards = async () => {
    const left = undone.has('eff_forward') ? [] : [{ effectId: 'eff_forward', emailId: 'eml_1', createdAt: DAY.from }];
    return { items: left };
  };
  const process = (at: AtCall) =>
    ({
      labelRule: { getAutoForwardRule: async () => ({}) },
      mailboxRead: watched({ explainEmail }, at),
      mailboxWrite: watched({ undoEffect }, at),
      outboundSend: watched({ undoForward: undoEffect, listWaitingForwards }, at),
    }) as unknown as AppServices;
  const call = (end: string, at: AtCall = (_, go) => go()) => {
    const route = effectAppRoutes.find(({ path }) => path.endsWith(end));
    const visit = { workspaceId: 'w', personId: 'per_1' } as WorkspaceVisit;
    const input = { params: { emailId: 'eml_1', ruleId: 'afr_1' }, query: {}, body: DAY };
    return route?.call(input, process(at), visit);
  };
  return { call, undone };
}

it('an undo of an email that dies at any of its calls leaves each effect before or after, and a repeat counts the rest', async () => {
  for (const when of ['before', 'after'] as const) {
    for (let deadly = 1; ; deadly += 1) {
      const { call, undone } = emailWorld();
      const { at, isDead } = dying(deadly, when);
      await Promise.resolve(call('/{emailId}/undo', at)).catch(() => undefined);
      const before = undone.size;
      const { items } = (await call('/{emailId}/undo')) as { items: { isUndone: boolean }[] };
      const told = [deadly, when, items.filter(({ isUndone }) => isUndone).length, items.length];
      expect(told).toEqual([deadly, when, 3 - before, 4 - before]);
      expect(Object.fromEntries(undone)).toEqual({ eff_draft: 1, eff_forward: 1, eff_label: 1 });
      if (!isDead()) break;
    }
  }
});

it('an undo of the forwards of a period that dies at any of its calls is finished by a repeat, which counts the rest', async () => {
  for (const when of ['before', 'after'] as const) {
    for (let deadly = 1; ; deadly += 1) {
      const { call, undone } = emailWorld();
      const { at, isDead } = dying(deadly, when);
      await Promise.resolve(call('/auto-forward-rules/{ruleId}/undo', at)).catch(() => undefined);
      const before = undone.size;
      const answer = await call('/auto-forward-rules/{ruleId}/undo');
      expect(answer).toEqual({ undone: 1 - before, stays: [], nextCursor: null });
      expect([...undone]).toEqual([['eff_forward', 1]]);
      if (!isDead()) break;
    }
  }
});
