import { describe, expect, it } from '@jest/globals';
import { type AtCall, dying, interleave, ordersOfTwo } from '../../../../test/support/interleavings.ts';
import { draftWorld, endOf } from '../../../../test/support/draft-work.ts';

type World = Awaited<ReturnType<typeof draftWorld>>;

/** The waiting send as a person and the worker see it. An edit may name itself in it. */
function asked({ all }: World) {
  const {
    epoch: _epoch,
    replacement: _replacement,
    ...send
  } = [...all.values()].find(({ kind }) => kind === 'approved')!;
  return structuredClone(send);
}

const worldThatAsks = async (options: Parameters<typeof draftWorld>[0] = {}) => {
  const world = await draftWorld({ isReply: false, ...options });
  await world.ask();
  return { ...world, before: asked(world) };
};

/** A mail program changes the draft. */
const change = ({ draft }: Pick<World, 'draft'>) => (draft.date = new Date(draft.date.getTime() + 1_000));

describe('an edit that is refused while an approval waits', () => {
  it('leaves the approval as it was where the mailbox has no trash, and the message can still be approved', async () => {
    const world = await worldThatAsks({ hasTrash: false });
    expect(await endOf(world.calm.edit())).toBe('CONFLICT');
    expect([asked(world), await endOf(world.calm.edit())]).toEqual([world.before, 'CONFLICT']);
    expect([asked(world), await endOf(world.calm.approve())]).toEqual([world.before, 'done']);
    await world.workAllOff();
    expect([world.delivered.length, world.draft.isDraft]).toEqual([1, false]);
  });

  it('leaves the approval as it was where the process of the edit dies at any call', async () => {
    for (const when of ['before', 'after'] as const) {
      for (let deadly = 1; ; deadly += 1) {
        const world = await worldThatAsks({ hasTrash: false });
        const { at, isDead } = dying(deadly, when);
        await endOf(world.process(at).edit());
        expect([deadly, when, asked(world)]).toEqual([deadly, when, world.before]);
        expect([deadly, when, await endOf(world.calm.edit())]).toEqual([deadly, when, 'CONFLICT']);
        expect([deadly, when, asked(world)]).toEqual([deadly, when, world.before]);
        await world.calm.approve();
        await world.workAllOff();
        expect([deadly, when, world.delivered.length]).toEqual([deadly, when, 1]);
        if (!isDead()) break;
      }
    }
  });

  it('leaves the approval as it was where the draft changes at any moment of the edit', async () => {
    const play = async (schedule: (n: number) => number) => {
      const world = await worldThatAsks();
      let end = '';
      const calls = await interleave(
        [
          async (at: AtCall) => void (end = await endOf(world.process(at).edit())),
          async (at: AtCall) => void (await at('change', async () => change(world))),
        ],
        schedule,
      );
      return { world, calls, end };
    };
    const { calls } = await play(() => 0);
    const ends = new Set<string>();
    for (const schedule of ordersOfTwo(calls)) {
      const { world, end } = await play(schedule);
      ends.add(end);
      if (end !== 'done') expect(asked(world)).toEqual(world.before);
      else expect([asked(world).state, world.draft.folderType]).toEqual(['canceled', 'TRASH']);
    }
    expect([...ends].toSorted()).toEqual(['CONFLICT', 'done']);
  });
});

describe('an edit while an approval waits', () => {
  it('ends the approval, at whatever call its process dies: the message before the edit does not leave', async () => {
    for (const when of ['before', 'after'] as const) {
      for (let deadly = 1; ; deadly += 1) {
        for (const isRepeated of [true, false]) {
          const world = await worldThatAsks();
          await endOf(world.process(dying(deadly, when).at).edit());
          const answer = isRepeated ? await endOf(world.calm.edit()) : '';
          const isEdited = world.draft.folderType === 'TRASH';
          const told = [deadly, when, isRepeated, answer, isEdited];
          expect(told).toEqual([deadly, when, isRepeated, isRepeated ? 'done' : '', isEdited || isRepeated]);
          await endOf(world.calm.approve());
          await world.workAllOff();
          expect([...told, world.delivered.length]).toEqual([...told, isEdited ? 0 : 1]);
          if (isEdited) expect([...told, asked(world).state]).toEqual([...told, 'canceled']);
        }
        const { at, isDead } = dying(deadly, when);
        await endOf((await worldThatAsks()).process(at).edit());
        if (!isDead()) break;
      }
    }
  });

  it.each([true, false])(
    'beside its approval: one of the two is done (a mailbox with a trash: %s)',
    async (hasTrash) => {
      const play = async (schedule: (n: number) => number) => {
        const world = await worldThatAsks({ hasTrash });
        const ends: string[] = [];
        const calls = await interleave(
          [
            async (at: AtCall) => void (ends[0] = await endOf(world.process(at).edit())),
            async (at: AtCall) => {
              const process = world.process(at);
              ends[1] = await endOf(process.approve());
              await process.timer();
            },
          ],
          schedule,
        );
        await world.workAllOff();
        return { ...world, calls, ends };
      };
      const { calls } = await play(() => 0);
      for (const schedule of ordersOfTwo(calls)) {
        const { calm, ends, draft, delivered } = await play(schedule);
        const isEdited = draft.folderType === 'TRASH';
        expect([ends, ends[0] === 'done']).toEqual([ends, isEdited && hasTrash]);
        if (isEdited) expect([ends, delivered.length, await endOf(calm.edit())]).toEqual([ends, 0, 'done']);
        else if (ends[1] === 'done') expect([ends, delivered.length]).toEqual([ends, 1]);
      }
    },
  );
});

it('an edit of a reply that waits, where it is refused, leaves the reply as it was, whatever call its process dies at', async () => {
  for (const when of ['before', 'after'] as const) {
    for (let deadly = 1; ; deadly += 1) {
      const { process, calm, draft, delivered, all, workAllOff } = await draftWorld({ hasTrash: false });
      const before = structuredClone(all.get('snd_1'));
      const { at, isDead } = dying(deadly, when);
      await endOf(process(at).edit());
      const told = [deadly, when, await endOf(calm.edit()), draft.scheduledStatus, all.get('snd_1')];
      expect(told).toEqual([deadly, when, 'CONFLICT', 'pending', before]);
      await workAllOff();
      expect([deadly, when, delivered.length, draft.isDraft]).toEqual([deadly, when, 1, false]);
      if (!isDead()) break;
    }
  }
});
