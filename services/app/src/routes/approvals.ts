import { hidesCharacters } from '@postroom/mime/hides-text';
import type { Approval } from '@postroom/proto/postroom/v1/outbound_send';
import type { ApprovalAnswer, ListOf, WholeApprovalAnswer } from '../answers/answers.ts';
import { namesOfMembers } from './member-names.ts';
import { defineAppRoute, type WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';

export const approvalAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/approvals',
    // outbound-send shows members those of their own clients.
    needs: 'member',
    call: async (_input, services, visit): Promise<ListOf<ApprovalAnswer>> => {
      const actorId = visit.personId;
      const [{ items }, names] = await Promise.all([
        services.outboundSend.listApprovals({ actorId }, visit),
        namesOfMembers(services, visit),
      ]);
      return { items: items.map((approval) => toJsonApproval(approval, names)) };
    },
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/approvals/{approvalId}',
    needs: 'member',
    call: async ({ params: { approvalId } }, services, visit): Promise<WholeApprovalAnswer> => {
      const [approval, names] = await Promise.all([
        services.outboundSend.getApproval({ actorId: visit.personId, approvalId }, visit),
        namesOfMembers(services, visit),
      ]);
      const { html = null, text = null } = approval.body ?? {};
      const { subject, to, cc, bcc } = approval;
      const read = html === null ? null : await services.mailboxRead.readHtml({ html }, visit);
      const plain = [subject, text ?? '', ...to, ...cc, ...bcc].join('\n');
      return {
        ...toJsonApproval(approval, names),
        text,
        html,
        readableHtml: read && (read.text ?? ''),
        hidesText: read?.hidesText === true || hidesCharacters(plain),
      };
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/approvals/{approvalId}/approve',
    needs: 'member',
    // It leaves in the background.
    status: 202,
    call: ({ params: { approvalId } }, services, visit) => decide(approvalId, true, services, visit),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/approvals/{approvalId}/refuse',
    needs: 'member',
    call: ({ params: { approvalId } }, services, visit) => decide(approvalId, false, services, visit),
  }),
];

async function decide(approvalId: string, approve: boolean, { outboundSend }: AppServices, visit: WorkspaceVisit) {
  const { draftId } = await outboundSend.decideApproval({ actorId: visit.personId, approvalId, approve }, visit);
  return { draftId };
}

function toJsonApproval(approval: Approval, names: ReadonlyMap<string, string>): ApprovalAnswer {
  const { id, draftId, from, to, cc, bcc, subject, agentId: grantId, agentName, personId } = approval;
  const { createdAt, expiresAt } = approval;
  const client = { grantId, name: agentName };
  const person = personId === undefined ? null : { id: personId, name: names.get(personId) ?? personId };
  return { id, draftId, from, to, cc, bcc, subject, client, person, createdAt, expiresAt };
}
