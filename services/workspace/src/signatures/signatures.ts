import { toMessageSignature } from '@postroom/mail-store/mailbox-message';
import type { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import { parseRequest } from '@postroom/rpc/parse-request';
import type { MailboxStore } from '../mailboxes/mailboxes.ts';
import { createSignatureRules, unknownMailbox, unknownWorkspace } from '../requests/requests.ts';
import type { WorkspaceStore } from '../workspaces/workspaces.ts';
import type { SignatureStore } from './signature-store.ts';

export interface SignatureDeps {
  context: Pick<ServiceContext, 'clock' | 'ids'>;
  workspaces: Pick<WorkspaceStore, 'find'>;
  mailboxes: Pick<MailboxStore, 'find'>;
  signatures: SignatureStore;
}

export function signatureHandlers({ workspaces, mailboxes, signatures, context: { clock, ids } }: SignatureDeps) {
  return {
    createSignature: async (request, call) => {
      const { workspaceId } = request;
      const { name, html, isDefault, mailboxId } = parseRequest(createSignatureRules, request);
      if (!(await workspaces.find(workspaceId, call))) throw unknownWorkspace(workspaceId);
      if (mailboxId && !(await mailboxes.find(workspaceId, mailboxId, call))) throw unknownMailbox(mailboxId);

      const last = await signatures.last(workspaceId, call);
      const now = clock.date();
      const signature = await signatures.insert(workspaceId, {
        _id: ids('sig'),
        name,
        html,
        isDefault,
        position: last ? last.position + 1 : 0,
        aliasEmail: null,
        mailboxId: mailboxId ?? null,
        createdAt: now,
        updatedAt: now,
      });
      // Only after the new default is there: a send in between finds two of them, never none.
      if (isDefault) await signatures.replaceDefault(workspaceId, signature, now, call);
      return toMessageSignature(signature);
    },
  } satisfies Partial<Handlers<WorkspaceOperatorServiceDefinition>>;
}
