import { ApiError } from '@postroom/errors/api-error';
import type {
  GetMailboxAccessRequest,
  MailboxAccess,
  MailboxAccessServiceDefinition,
} from '@postroom/proto/postroom/v1/workspace';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import { unknownMailbox } from '../requests/requests.ts';
import { accessTokenOf, type AccessDeps } from './access-token.ts';
import { recordSync } from './record-sync.ts';

export type { AccessDeps };

/** The calls and reports of the services that log in for a mailbox. */
export function accessHandlers(deps: AccessDeps) {
  return {
    getMailboxAccess: (request, call) => getMailboxAccess(request, call, deps),
    recordSync: (request, call) => recordSync(request, call, deps),
  } satisfies Partial<Handlers<MailboxAccessServiceDefinition>>;
}

/** A caller asks for it at each login and does not keep it. */
async function getMailboxAccess(
  request: GetMailboxAccessRequest,
  call: Call,
  deps: AccessDeps,
): Promise<MailboxAccess> {
  const { workspaceId, mailboxId, refusedTokenEpoch } = request;
  for (;;) {
    call.signal.throwIfAborted();
    const { server, mailbox, held } = await read(workspaceId, mailboxId, call, deps);
    const { imapAddress, smtpAddress, user, ca } = server;
    const common = { imapAddress, smtpAddress, user, ca: ca || undefined };
    if (held.kind === 'password') return { ...common, password: held.password.reveal(), tokenEpoch: 0 };
    const question = { refusedEpoch: refusedTokenEpoch, signal: call.signal };
    const access = await accessTokenOf(mailbox, held, question, deps);
    if (access) return { ...common, accessToken: access.token.reveal(), tokenEpoch: access.epoch };
  }
}

/** The mailbox and its present credentials. */
async function read(workspaceId: string, mailboxId: string, call: Call, { mailboxes, vault }: AccessDeps) {
  const mailbox = await mailboxes.find(workspaceId, mailboxId, call);
  if (!mailbox?.server || !mailbox.credentials) throw unknownMailbox(mailboxId);
  if (mailbox.status !== 'active') throw new ApiError('MAILBOX_INACTIVE');
  return { mailbox, server: mailbox.server, held: await vault.open({ workspaceId, mailboxId }, mailbox.credentials) };
}
