import { describe, expect, it } from '@jest/globals';
import type { LabelDocument } from '@postroom/mail-store/documents/label';
import { manualClock, type ManualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { TOMBSTONE_MS, startLabelCleanup } from './label-cleanup.ts';

/** One deleted label on `emails` emails, which the peer takes off three at a time. */
function world({ emails, clock, left = [] }: { emails: number; clock: ManualClock; left?: LabelDocument[] }) {
  const state = { emails, filters: 1, unavailable: false, tombstones: left };
  const reached = () => {
    if (state.unavailable) throw new Error('away');
  };
  const labelCleanup = startLabelCleanup({
    context: { clock, log: silentLog },
    tombstones: {
      everyWorkspaces: async () => [...state.tombstones],
      remove: async (_workspaceId, labelId) => {
        state.tombstones = state.tombstones.filter(({ _id }) => _id !== labelId);
      },
    },
    aiRules: {
      deleteOfLabel: async () => {
        reached();
      },
    },
    mailboxWrite: {
      forgetLabel: async () => {
        reached();
        const updatedCount = Math.min(3, state.emails);
        state.emails -= updatedCount;
        return { updatedCount };
      },
    },
    viewFilter: {
      forgetLabel: async () => {
        reached();
        state.filters = 0;
      },
    },
  });
  const bury = () => {
    const label = { _id: 'lbl_1', workspaceId: 'wsp_1', name: 'Old', nameKey: 'x', color: 'Red', isAiLabel: false };
    const tombstone = { ...label, createdAt: clock.date(), deletedAt: clock.date() };
    state.tombstones.push(tombstone);
    return labelCleanup.begin(tombstone, { requestId: 'req', deadline: clock.now() + 10_000 });
  };
  return { state, labelCleanup, bury };
}

describe('forgetting a deleted label', () => {
  it('takes filters away at once and emails in the background', async () => {
    const clock = manualClock();
    const { state, labelCleanup, bury } = world({ emails: 10, clock });
    await bury();
    expect(state.filters).toBe(0);
    await clock.advance(0);
    expect(state.emails).toBe(0);
    await labelCleanup.close();
  });

  it('keeps the tombstone until no call can write the label any more, and looks once more', async () => {
    const clock = manualClock();
    const { state, labelCleanup, bury } = world({ emails: 1, clock });
    await bury();
    await clock.advance(0);
    state.emails = 2;
    await clock.advance(TOMBSTONE_MS - 1);
    expect(state.tombstones).toHaveLength(1);
    await clock.advance(TOMBSTONE_MS);
    expect(state).toMatchObject({ emails: 0, tombstones: [] });
    await labelCleanup.close();
  });

  it('goes on after the peers were unavailable', async () => {
    const clock = manualClock();
    const { state, labelCleanup, bury } = world({ emails: 5, clock });
    state.unavailable = true;
    await bury();
    await clock.advance(90_000);
    expect(state.emails).toBe(5);
    state.unavailable = false;
    await clock.advance(120_000);
    expect(state).toMatchObject({ emails: 0, filters: 0, tombstones: [] });
    await labelCleanup.close();
  });

  it('resumes at its start what a crash left', async () => {
    const clock = manualClock();
    const before = world({ emails: 4, clock });
    before.state.unavailable = true;
    await before.bury();
    await before.labelCleanup.close();

    const after = world({ emails: 4, clock, left: before.state.tombstones });
    await clock.advance(0);
    expect(after.state.emails).toBe(0);
    await clock.advance(60_000);
    expect(after.state).toMatchObject({ emails: 0, tombstones: [] });
    await after.labelCleanup.close();
  });
});
