import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isBodyOf } from '@postroom/mail-store/body-version';
import { IngestRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import { type ChangeWorld, openChangeWorld } from '../../../../test/support/change-world.ts';
import { imapMailbox, processOf } from '../../../../test/mail/outgoing-world.ts';

let world: ChangeWorld;
beforeAll(async () => {
  world = await openChangeWorld();
});
afterAll(() => world.close());

const process = (replaced: Partial<ChangeWorld['stores']> = {}) => processOf(world, replaced);

describe('a draft that a mail program saves', () => {
  async function savedOnce() {
    const { of, message, mailboxId } = await imapMailbox(world);
    const handlers = process();
    const draft = await handlers.storeOutgoing(message('DRAFTS'), of('opn_draft'));
    const save = (by: typeof handlers, uid: number, text: string, folder: 'DRAFTS' | 'SENT' = 'DRAFTS') => {
      const location = { folderId: `fld_${folder.toLowerCase()}`, uidValidity: 1, uid };
      const messages = [{ sourceKey: `imap:${folder}:1:${uid}`, raw: message(folder, text).raw, location }];
      return by.ingest(IngestRequest.fromPartial({ mailboxId, messages }), of('opn_in'));
    };
    await save(handlers, 1, 'Hello');
    const text = async () => (await world.collections.bodies.findOne({ _id: draft.id }).lean())?.text?.trim();
    return { of, message, ...handlers, handlers, draftId: draft.id, save, text };
  }

  it('is left to it where its send begins meanwhile', async () => {
    const { of, message, storeOutgoing, updateOutgoing, draftId, save, text } = await savedOnce();
    const sending = { emailId: draftId, scheduledStatus: 'sending', scheduledSendAt: undefined, epoch: 1 };
    const { bulk } = world.stores;
    const changeMany: typeof bulk.changeMany = async (...changes) => {
      await updateOutgoing(sending, of('snd_1')).catch(() => undefined);
      return bulk.changeMany(...changes);
    };
    await save(process({ bulk: { ...bulk, changeMany } }), 2, 'Hello, and more');
    expect(await world.stored(draftId)).toMatchObject({ snippet: 'Hello, and more', scheduledStatus: 'canceled' });
    expect(await text()).toBe('Hello, and more');

    const sent = await storeOutgoing({ ...message('SENT'), draftId }, of('snd_1'));
    expect(sent).toMatchObject({ snippet: 'Hello', isDraft: false });
    expect(await world.stored(draftId)).toMatchObject({ snippet: 'Hello, and more', isDraft: true });
  });

  it('keeps the body that left where it was sent while the version behind it came', async () => {
    const { of, message, storeOutgoing, draftId, save, text } = await savedOnce();
    const { bulk } = world.stores;
    let isSent = false;
    const changeMany: typeof bulk.changeMany = async (...changes) => {
      if (!isSent) await storeOutgoing({ ...message('SENT'), draftId }, of('snd_1'));
      isSent = true;
      return bulk.changeMany(...changes);
    };
    await save(process({ bulk: { ...bulk, changeMany } }), 2, 'Hello, and more');
    expect(await world.stored(draftId)).toMatchObject({ snippet: 'Hello', isDraft: false });
    expect(await text()).toBe('Hello');
  });

  it('has the body of its later version, also where that of the one before was never stored', async () => {
    const { handlers, draftId, save, text } = await savedOnce();
    await save(handlers, 2, 'The second');
    const second = await world.collections.bodies.findOne({ _id: draftId }).lean();
    await save(handlers, 3, 'The third');
    await world.collections.bodies.replaceOne({ _id: draftId }, second ?? {});
    await save(handlers, 4, 'The fourth');
    expect(await text()).toBe('The fourth');
  });

  it('has the body that was sent, also where that of the draft before is written last', async () => {
    const { handlers, draftId, save, text } = await savedOnce();
    const { emails } = world.stores;
    const saveBody: typeof emails.saveBody = async (...body) => {
      await save(handlers, 7, 'As it was sent', 'SENT');
      return emails.saveBody(...body);
    };
    await save(process({ emails: { ...emails, saveBody } }), 2, 'The second');
    expect(await world.stored(draftId)).toMatchObject({ snippet: 'As it was sent', isDraft: false });
    expect(await text()).toBe('As it was sent');
  });

  it('has the body of its later version, also where that of the one before is written last', async () => {
    const { handlers, draftId, save, text } = await savedOnce();
    const { emails } = world.stores;
    const saveBody: typeof emails.saveBody = async (...body) => {
      await save(handlers, 3, 'The third');
      return emails.saveBody(...body);
    };
    await save(process({ emails: { ...emails, saveBody } }), 2, 'The second');
    const { snippet, bodyVersion } = await world.stored(draftId);
    const body = await world.collections.bodies.findOne({ _id: draftId }).lean();
    expect([snippet, isBodyOf(body ?? {}, { isDraft: true, bodyVersion })]).toEqual(['The third', true]);
    expect(await text()).toBe('The third');
  });
});
