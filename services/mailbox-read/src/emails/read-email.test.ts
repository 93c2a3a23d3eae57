import { describe, expect, it } from '@jest/globals';
import type { Call } from '@postroom/rpc/call';
import { emailDocument } from '../../../../test/support/email-document.ts';
import { type BodyDeps, getDraft, getEmailBody, listDrafts } from './read-email.ts';

const call = { workspaceId: 'wsp_1', remainingMs: () => 5_000 } as unknown as Call;

/** A draft of a provider, saved anew by a mail program, with the body that is stored. */
function world({ version, isElsewhere = true }: { version: string; isElsewhere?: boolean }) {
  const email = { ...emailDocument({ text: '' }), isDraft: true, folderType: 'DRAFTS', bodyVersion: 'v2' };
  const { _id } = email;
  const asked: object[] = [];
  const deps = {
    emails: {
      find: async () => email,
      findDraft: async () => email,
      drafts: async () => [email],
      thread: async () => [email],
      bodies: async () => [{ _id, html: null, text: 'As it was stored.', version }],
      isElsewhere: async () => isElsewhere,
    },
    sanitiser: { clean: async (html: string) => html },
    mailboxSync: { fetchBody: async (which: object) => (asked.push(which), { text: 'As its provider has it.' }) },
  } as unknown as BodyDeps;
  const request = { draftId: _id, emailId: _id, withoutBody: false, asStored: false, remoteImages: false };
  return {
    asked,
    draft: async () => (await getDraft(request, call, deps)).body?.text,
    email: async () => (await getEmailBody(request, call, deps)).body?.text,
    listed: async () => {
      const page = { limit: 10, waitingOnly: false, withoutBodies: false };
      const [draft] = await listDrafts(page, call, deps.emails, deps.sanitiser);
      return draft?.body?.text;
    },
  };
}

describe('the body of a draft that a mail program has saved', () => {
  it('is the stored one where that is of the same version', async () => {
    const { draft, email, listed, asked } = world({ version: 'v2' });
    expect([await draft(), await email(), await listed()]).toEqual(Array(3).fill('As it was stored.'));
    expect(asked).toEqual([]);
  });

  it('comes from the provider where the stored one is of another version, and lists leave it out', async () => {
    const { draft, email, listed } = world({ version: 'v1' });
    expect([await draft(), await email(), await listed()]).toEqual([
      'As its provider has it.',
      'As its provider has it.',
      undefined,
    ]);
  });

  it('is the stored one where its provider keeps none', async () => {
    const { draft, asked } = world({ version: 'v1', isElsewhere: false });
    expect([await draft(), asked]).toEqual(['As it was stored.', []]);
  });
});
