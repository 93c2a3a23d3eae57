import { ApiError } from '@postroom/errors/api-error';
import type {
  ApplyProviderChangesRequest,
  ApplyProviderChangesResponse,
  IncomingMessage,
  MailboxWriteServiceDefinition,
  CompletedChange,
} from '@postroom/proto/postroom/v1/mailbox_write';
import type { Client } from '@postroom/rpc/definition';
import type { Clock } from '@postroom/runtime/clock';
import { LeaseLost } from '../leases/lease-lost.ts';
import type { Lease } from '../leases/lease.ts';

export type MailWriter = ReturnType<typeof createMailWriter>;
type FromCaller = 'folderId' | 'uidValidity' | 'at' | 'pass';
export type Changes = Pick<ApplyProviderChangesRequest, FromCaller> &
  Partial<Omit<ApplyProviderChangesRequest, FromCaller | 'mailboxId' | 'epoch'>>;

const LIMIT_MS = 60_000;
const NOTHING = { states: [], goneUids: [], isCompleteListing: false, uids: [], isTakenIn: false };

interface WriterDeps {
  mailboxWrite: Client<MailboxWriteServiceDefinition>;
  clock: Clock;
}

/** The one way from a provider to stored mail: under the lease, so that who has lost it is refused. */
export function createMailWriter({ mailboxWrite, clock }: WriterDeps, { mailboxId, workspaceId, epoch }: Lease) {
  const held = { mailboxId, epoch };
  const call = () => ({ workspaceId, deadline: clock.now() + LIMIT_MS });
  const fenced = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'CONFLICT') throw new LeaseLost();
      throw error;
    }
  };

  return {
    ingest: (messages: IncomingMessage[], at: Date, isRepeat: boolean) =>
      fenced(mailboxWrite.ingest({ ...held, messages, at: at.toISOString(), isRepeat }, call())),

    apply: (changes: Changes): Promise<ApplyProviderChangesResponse> =>
      fenced(mailboxWrite.applyProviderChanges({ ...held, ...NOTHING, ...changes }, call())),

    forgetLocations: (folderId: string, uidValidity: number, pass: number) =>
      fenced(mailboxWrite.forgetLocations({ ...held, folderId, uidValidity, pass }, call())),

    complete: (changes: CompletedChange[], pass: number) =>
      fenced(mailboxWrite.completeProviderChanges({ ...held, changes, pass }, call())),

    finishPass: (pass: number) => fenced(mailboxWrite.finishPass({ ...held, pass }, call())),
  };
}
