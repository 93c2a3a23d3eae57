import { expect, it } from '@jest/globals';
import { dying } from '../../../../test/support/interleavings.ts';
import { draftWorld, endOf } from '../../../../test/support/draft-work.ts';

it('the draft of an approved send says that it leaves, and cannot be thrown away meanwhile', async () => {
  const { calm, approve, draft, marks } = await draftWorld({ isReply: false });
  await approve();
  await calm.timer();
  expect([marks, draft.isDraft]).toEqual([['sending'], false]);
  expect(await endOf(calm.discard())).toBe('DRAFT_NOT_FOUND');
});

it('an approved send that dies at any call is taken up again: one message leaves, and its draft becomes the sent email', async () => {
  const states = new Set<string>();
  for (const when of ['before', 'after'] as const) {
    for (let deadly = 1; ; deadly += 1) {
      const { process, approve, draft, marks, delivered, all, workAllOff } = await draftWorld({ isReply: false });
      await approve();
      const { at, isDead } = dying(deadly, when);
      await endOf(process(at).timer());
      await workAllOff();
      const state = [...all.values()][0]?.state ?? '';
      states.add(state);
      // The end of the message was begun and not reached, and it is not known to the sender.
      const most = state === 'unknown' ? 0 : 1;
      const told = [deadly, when, state, delivered.length, marks, draft.isDraft];
      expect(told).toEqual([deadly, when, state, most, most === 1 ? ['sending'] : [], most === 0]);
      if (!isDead()) break;
    }
  }
  expect([...states].toSorted()).toEqual(['recorded', 'unknown']);
});

it('an approved send that is taken up again is canceled where its draft was changed meanwhile', async () => {
  for (let deadly = 1; deadly <= 8; deadly += 1) {
    const { process, approve, draft, delivered, workAllOff } = await draftWorld({ isReply: false });
    await approve();
    await endOf(process(dying(deadly, 'before').at).timer());
    draft.subject = 'Wednesday';
    await workAllOff();
    expect([deadly, delivered.length <= 1]).toEqual([deadly, true]);
    if (delivered.length === 0) expect([deadly, draft.isDraft]).toEqual([deadly, true]);
    expect(delivered.join('')).not.toContain('Wednesday');
  }
});

it('409 CONFLICT when a draft is approved after its 24 hours, and it does not leave', async () => {
  const { calm, clock, ask, delivered, workAllOff } = await draftWorld({ isReply: false });
  await ask();
  clock.set(clock.now() + 86_400_000);
  expect(await endOf(calm.approve())).toBe('CONFLICT');
  await workAllOff();
  expect(delivered).toEqual([]);
});

it('409 CONFLICT when a draft is sent whose approved message may have left, and 200 while it is on its way', async () => {
  const { calm, approve, all, delivered } = await draftWorld({ isReply: false });
  await approve();
  expect(await endOf(calm.send())).toBe('done');
  for (const send of all.values()) send.state = 'unknown';
  expect([await endOf(calm.send()), delivered]).toEqual(['CONFLICT', []]);
});
