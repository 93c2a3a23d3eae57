import { ApiError } from '@postroom/errors/api-error';
import type { IncomingMessage } from '@postroom/proto/postroom/v1/mailbox_write';
import { CommandRefusal, type CommandDeps } from '../command/command-deps.ts';

// It is long enough for a service that restarts, and short enough for a person who waits.
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
const RETRY_WITHIN_MS = 60_000;
const ANSWER_WITHIN_MS = 5_000;
/** A service that fails so often over the same messages, and answers other calls, will not take them. */
const FAILURES_OF_THEIRS = 2;

export interface Destination {
  workspaceId: string;
  mailboxId: string;
}

/** The result of a message. "failed" means that the service takes others and fails over this one. */
interface MessageResult {
  outcome: string;
  cause?: string | undefined;
}

type SendBatchDeps = Pick<CommandDeps, 'mailboxWrite' | 'mailboxWriteOperators' | 'signal'> & {
  context: Pick<CommandDeps['context'], 'clock'>;
};

/**
 * Gives a batch to ingest, and repeats it while the service is unavailable: ingest recognises the messages that it has.
 * When the service answers and fails over this batch, the messages go one by one, so that one message blocks no other.
 */
export function createSendBatch(
  { mailboxWrite, mailboxWriteOperators, signal, context }: SendBatchDeps,
  destination: Destination,
) {
  const service = mailboxWrite();
  const operators = mailboxWriteOperators();
  const { clock } = context;
  const { workspaceId, mailboxId } = destination;
  const call = (limitMs: number) => ({ workspaceId, deadline: clock.now() + limitMs });
  const answersOthers = () =>
    operators.listQuarantinedMessages({ mailboxId, limit: 1 }, call(ANSWER_WITHIN_MS)).then(
      () => true,
      () => false,
    );

  const sendBatch = async (messages: IncomingMessage[]): Promise<MessageResult[]> => {
    for (let failures = 1; ; failures += 1) {
      try {
        return (await service.ingest({ mailboxId, messages }, call(RETRY_WITHIN_MS))).outcomes;
      } catch (error) {
        if (!isPassing(error)) throw error;
        if (failures >= FAILURES_OF_THEIRS && (await answersOthers())) break;
        const pause = PAUSES_MS[failures - 1];
        if (pause === undefined || signal.aborted) throw givenUp(error);
        await clock.sleep(pause);
      }
    }
    if (messages.length === 1) return [{ outcome: 'failed' }];
    const outcomes: MessageResult[] = [];
    for (const message of messages) outcomes.push(...(await sendBatch([message])));
    return outcomes;
  };
  return sendBatch;
}

function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'INTERNAL_ERROR' || error.code === 'QUERY_TIMEOUT');
}

function givenUp(error: unknown): CommandRefusal {
  const cause = error instanceof ApiError && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return new CommandRefusal(
    `the mailbox-write service does not take the mail in${cause}; once it runs, give the same command again: what is in already is recognised`,
  );
}
