import { hidesCharacters } from '@postroom/mime/hides-text';
import type { Draft, EmailAddress } from '@postroom/proto/postroom/v1/resources';
import { composeRequest } from '@postroom/resources/compose';
import { z } from 'zod';
import type { DraftAnswer, DraftRowAnswer, ListOf } from '../answers/answers.ts';
import { defineAppRoute, type WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';

/** The newest drafts. */
const MOST = 50;
/** The replies that leave next: as they leave, later ones are shown. */
const MOST_WAITING = 100;

const seenDate = z.iso.datetime();
const seenRequest = z.strictObject({ seenDate });
const replaceRequest = composeRequest
  .pick({ to: true, cc: true, bcc: true, subject: true })
  .extend({ seenDate, text: z.string().max(200_000) });

export const draftAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/drafts',
    needs: 'member',
    call: (_input, services, visit) => visit.shared('drafts', () => newestDrafts(services, visit)),
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/drafts/{draftId}',
    needs: 'member',
    call: async ({ params: { draftId } }, services, visit) => ({ draft: await draftOf(draftId, services, visit) }),
  }),
  defineAppRoute({
    method: 'PUT',
    path: '/workspaces/{workspaceId}/drafts/{draftId}',
    needs: 'admin',
    body: replaceRequest,
    call: async ({ params: { draftId }, body }, services, visit) => {
      const { to, cc = [], bcc = [], subject, text, seenDate: seen } = body;
      const emails = { to: to.map(addressOf), cc: cc.map(addressOf), bcc: bcc.map(addressOf) };
      const asked = { actorId: visit.personId, draftId, seenDate: seen, ...emails, subject, text };
      const replaced = await services.outboundSend.replaceDraft(asked, visit);
      return { draft: await draftOf(replaced.draftId, services, visit) };
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/drafts/{draftId}/send',
    needs: 'admin',
    body: seenRequest,
    call: async ({ params: { draftId }, body }, { outboundSend }, visit) => {
      const asked = { actorId: visit.personId, draftId, seenDate: body.seenDate };
      const { status } = await outboundSend.sendOwnDraft(asked, visit);
      return { isSent: status === 'sent' };
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/drafts/{draftId}/cancel',
    needs: 'member',
    status: 204,
    call: ({ params: { draftId } }, { outboundSend }, visit) =>
      outboundSend.stopReply({ actorId: visit.personId, draftId }, visit),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/drafts/{draftId}/discard',
    needs: 'member',
    body: seenRequest,
    status: 204,
    call: ({ params: { draftId }, body }, { mailboxWrite }, visit) =>
      mailboxWrite.discardDraft({ draftId, seenDate: body.seenDate }, visit),
  }),
];

const addressOf = ({ email }: { email: string }): string => email;

/** Without texts: those of fifty drafts are megabytes, and each of them is read when its row comes into view. */
async function newestDrafts({ mailboxRead }: AppServices, visit: WorkspaceVisit): Promise<ListOf<DraftRowAnswer>> {
  const rows = { withoutBodies: true };
  const [waiting, newest] = await Promise.all([
    mailboxRead.listDrafts({ ...rows, limit: MOST_WAITING, waitingOnly: true }, visit),
    mailboxRead.listDrafts({ ...rows, limit: MOST, waitingOnly: false }, visit),
  ]);
  const byId = new Map([...waiting.items, ...newest.items].map((draft) => [draft.email?.id, draft]));
  return { items: [...byId.values()].map(toJsonRow) };
}

async function draftOf(draftId: string, { mailboxRead }: AppServices, visit: WorkspaceVisit): Promise<DraftAnswer> {
  const draft = await mailboxRead.getDraft({ draftId, withoutBody: true }, visit);
  // Html would leave as it is stored, so it is shown and judged as it is stored.
  const { body } = await mailboxRead.getEmailBody({ emailId: draftId, asStored: true, remoteImages: false }, visit);
  const { html = null, text = '' } = body ?? {};
  const row = toJsonRow(draft);
  const read = html === null ? { text, hidesText: false } : await mailboxRead.readHtml({ html }, visit);
  return {
    ...row,
    text: (read.text ?? '').trimEnd(),
    html,
    hidesText: read.hidesText || hidesCharacters([row.subject, text].join('\n')),
  };
}

function toJsonRow({ email, ruleId }: Draft): DraftRowAnswer {
  if (!email) throw new Error('a draft came without its email');
  const { id, date, from, subject, snippet, attachments, scheduledStatus, scheduledSendAt } = email;
  const [to, cc, bcc] = [email.to, email.cc, email.bcc].map((addresses) => addresses.map(writtenAddress));
  return {
    id,
    date,
    from: from?.email ?? '',
    to: to ?? [],
    cc: cc ?? [],
    bcc: bcc ?? [],
    subject,
    snippet,
    attachmentCount: attachments.length,
    ruleId: ruleId ?? null,
    sendAt: scheduledStatus === 'pending' && scheduledSendAt !== undefined ? scheduledSendAt : null,
    isLeaving: scheduledStatus === 'sending',
  };
}

const writtenAddress = ({ email, name }: EmailAddress): string => (name ? `${email} (named “${name}”)` : email);
