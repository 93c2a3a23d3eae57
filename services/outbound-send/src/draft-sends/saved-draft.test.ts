import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import { draftWorld, endOf } from '../../../../test/support/draft-work.ts';
import type { AtCall } from '../../../../test/support/interleavings.ts';

/** The draft is saved by a mail program right before its send says that it leaves. */
const savedBefore =
  (draft: { subject: string }): AtCall =>
  async (name, go) => {
    if (name === 'updateOutgoing') draft.subject = 'Wednesday';
    return go();
  };

it('403 OUTBOUND_SEND_NOT_ALLOWED when a mail program saves the draft while its send waits: nothing is sent', async () => {
  const { process, draft, delivered, workAllOff } = await draftWorld({ isReply: false });
  expect(await endOf(process(savedBefore(draft)).send())).toBe('OUTBOUND_SEND_NOT_ALLOWED');
  await workAllOff();
  expect([delivered, draft.isDraft, draft.scheduledStatus]).toEqual([[], true, null]);
});

it('cancels an approved send whose draft a mail program saves behind the last check', async () => {
  const { process, approve, draft, delivered, all, workAllOff } = await draftWorld({ isReply: false });
  await approve();
  await process(savedBefore(draft)).timer();
  await workAllOff();
  expect([delivered, draft.isDraft, draft.scheduledStatus]).toEqual([[], true, null]);
  expect([...all.values()].map(({ state, lastError }) => [state, lastError])).toEqual([
    ['canceled', 'the draft was changed meanwhile'],
  ]);
});

it('leaves a draft to the mail program that takes it over while its send looks at it once more', async () => {
  const { process, draft, workAllOff } = await draftWorld({ isReply: false });
  let wasMarked = false;
  const takenOver: AtCall = async (_name, go) => {
    if (!wasMarked && draft.scheduledStatus === 'sending') {
      wasMarked = true;
      draft.scheduledStatus = 'canceled';
    }
    return go();
  };
  await endOf(process(takenOver).send());
  await workAllOff();
  expect([wasMarked, draft.scheduledStatus]).toEqual([true, 'canceled']);
});

it('408 QUERY_TIMEOUT when the role of a person cannot be read, because an earlier call may have sent the draft', async () => {
  const { process, delivered } = await draftWorld({ isReply: false });
  await process((_, go) => go()).send();
  const failing: AtCall = async (name, go) => {
    if (name === 'role') throw new Error('connection refused');
    return go();
  };
  expect([await endOf(process(failing).send()), delivered.length]).toEqual(['QUERY_TIMEOUT', 1]);
});

it('sends a draft whose mailbox is disconnected behind the beginning of its send', async () => {
  const { process, draft, delivered } = await draftWorld({ isReply: false });
  const disconnected: AtCall = async (name, go) => {
    const found = await go();
    return name === 'mailbox' && draft.scheduledStatus === 'sending'
      ? { ...(found as object), status: 'disconnected' }
      : found;
  };
  await process(disconnected).send();
  expect(delivered).toHaveLength(1);
});

describe('a draft whose stored body is of another version than the draft', () => {
  const LOCATION = { folderId: 'fld_drafts', uidValidity: 1, uid: 2 };
  async function halfSaved() {
    const world = await draftWorld({ isReply: false });
    Object.assign(world.draft, { place: LOCATION, bodyVersion: 'v2' });
    return world;
  }

  it('leaves with the text that its provider has', async () => {
    const { process, delivered } = await halfSaved();
    await process((_, go) => go()).send();
    expect(delivered).toEqual([expect.stringContaining('As saved.')]);
  });

  it('409 CONFLICT when a mail program saves it once more while the text is fetched: nothing is sent', async () => {
    const { process, draft, delivered, workAllOff } = await halfSaved();
    const savedAgain: AtCall = async (name, go) => {
      const answer = await go();
      if (name === 'fetchBody') draft.bodyVersion = 'v3';
      return answer;
    };
    expect(await endOf(process(savedAgain).send())).toBe('CONFLICT');
    await workAllOff();
    expect(delivered).toEqual([]);
  });

  it('409 CONFLICT when its provider has it no more in that location: nothing is sent', async () => {
    const { process, delivered, workAllOff } = await halfSaved();
    const gone: AtCall = async (name, go) => {
      if (name === 'fetchBody') throw new ApiError('NOT_FOUND');
      return go();
    };
    expect(await endOf(process(gone).send())).toBe('CONFLICT');
    await workAllOff();
    expect(delivered).toEqual([]);
  });
});
