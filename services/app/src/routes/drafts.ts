import { hidesCharacters, hidesText } from '@postroom/mime/hides-text';
import { writtenText } from '@postroom/mime/visible-text';
import type { Draft, EmailAddress } from '@postroom/proto/postroom/v1/resources';
import { composeRequest } from '@postroom/resources/compose';
import { z } from 'zod';
import type { DraftAnswer, ListOf } from '../answers/answers.ts';
import { defineAppRoute, type WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';

/** The newest drafts, in full. */
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

async function newestDrafts(services: AppServices, visit: WorkspaceVisit): Promise<ListOf<DraftAnswer>> {
  const { mailboxRead } = services;
  const [waiting, newest] = await Promise.all([
    mailboxRead.listDrafts({ limit: MOST_WAITING, waitingOnly: true }, visit),
    mailboxRead.listDrafts({ limit: MOST, waitingOnly: false }, visit),
  ]);
  const byId = new Map([...waiting.items, ...newest.items].map((draft) => [draft.email?.id, draft]));
  return {
    items: await Promise.all(
      [...byId.values()].map(async (draft) =>
        toJsonDraft(draft, await bodyOf(draft, services, visit).catch(() => UNREADABLE)),
      ),
    ),
  };
}

async function draftOf(draftId: string, services: AppServices, visit: WorkspaceVisit): Promise<DraftAnswer> {
  const draft = await services.mailboxRead.getDraft({ draftId }, visit);
  return toJsonDraft(draft, await bodyOf(draft, services, visit));
}

interface DraftBody {
  html: string | null;
  text: string | null;
}

const UNREADABLE: DraftBody = { html: null, text: null };

function toJsonDraft({ email, ruleId }: Draft, { html, text }: DraftBody): DraftAnswer {
  if (!email) throw new Error('a draft came without its email');
  const { id, date, from, subject, attachments, scheduledStatus, scheduledSendAt } = email;
  const [to, cc, bcc] = [email.to, email.cc, email.bcc].map((addresses) => addresses.map(writtenAddress));
  return {
    id,
    date,
    from: from?.email ?? '',
    to: to ?? [],
    cc: cc ?? [],
    bcc: bcc ?? [],
    subject,
    text: (html === null ? text : writtenText(html))?.trimEnd() ?? null,
    html,
    hidesText: (html !== null && hidesText(html)) || hidesCharacters([subject, text ?? ''].join('\n')),
    attachmentCount: attachments.length,
    ruleId: ruleId ?? null,
    sendAt: scheduledStatus === 'pending' && scheduledSendAt !== undefined ? scheduledSendAt : null,
    isLeaving: scheduledStatus === 'sending',
  };
}

/**
 * Html would leave as it is stored; a list has it without what a browser must not run. A text that the list lacks is longer
 * than its answer may be, or at the provider.
 */
async function bodyOf(
  { email, body: listed }: Draft,
  { mailboxRead }: AppServices,
  visit: WorkspaceVisit,
): Promise<DraftBody> {
  if (listed?.html === undefined && listed?.text !== undefined) return { html: null, text: listed.text };
  const asked = { emailId: email?.id ?? '', asStored: true, remoteImages: false };
  const { body } = await mailboxRead.getEmailBody(asked, visit);
  return { html: body?.html ?? null, text: body?.text ?? '' };
}

const writtenAddress = ({ email, name }: EmailAddress): string => (name ? `${email} (named “${name}”)` : email);
