import { type CountedAttempts, EndedItsProcess } from '@postroom/events/counted-attempts';
import type { KeyedQueue } from '@postroom/runtime/keyed-queue';
import { ApiError } from '@postroom/errors/api-error';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { withStructure } from '@postroom/mime/structure';
import type { IngestRequest, IngestResponse } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Call } from '@postroom/rpc/call';
import type { Counter } from '@postroom/runtime/metrics';
import { deterministicId } from '@postroom/runtime/deterministic-id';
import type { ServiceContext } from '@postroom/runtime/service';
import type { ParsedMail } from '../parse/parsed-mail.ts';
import type { ParsePool } from '../parse/parse-pool.ts';
import type { Quarantine } from '../quarantine/quarantine.ts';
import { type Incoming, known, type Outcome, readIncoming, quarantinedOutcome } from '../incoming/incoming.ts';
import { type Arrival, folderOf, toArrival } from './email-document.ts';
import type { Fence } from '../fence/fence.ts';
import { isolateFailures } from './isolate-failures.ts';
import { finish } from './finalizing.ts';
import { createStoring, type Refusal, type Storing, type StoringDeps } from './storing.ts';

export { type EmailStore, type SentNames, sentAs } from './email-store.ts';

/** The facts about messages that follow from their IMAP locations. */
export interface Matcher {
  /** Messages at known locations need no parsing. Their flags and labels are applied. */
  known(messages: readonly Incoming[], at: Date): Promise<Outcome[]>;
  /** Moves emails that have new locations. Other messages are fresh; `copied` names the original of a copy. */
  match(arrivals: readonly Arrival[], at: Date): Promise<Matched>;
  /** Refuses a caller whose lease of the mailbox has ended. */
  fence: Fence;
  /** Emails whose move was seen from its other end meanwhile. */
  merge(copied: readonly string[]): Promise<void>;
}

export interface Matched {
  outcomes: Outcome[];
  /** Stores new emails. A message that is stored already makes no event. */
  fresh: Arrival[];
  copied: string[];
}

interface IngestDeps extends StoringDeps {
  pool: ParsePool;
  quarantine: Quarantine;
  /** The fencing token of the holder of the mailbox. */
  matcher(mailbox: MailboxDocument, epoch?: number): Matcher;
  attempts: CountedAttempts;
  queueByMailbox: KeyedQueue['add'];
  context: Pick<ServiceContext, 'clock' | 'ids' | 'log' | 'metrics'>;
}

/** The caller. Work that has not begun when the signal is aborted is skipped. */
type Asking = Pick<Call, 'workspaceId' | 'signal'>;

export interface Ingest {
  ingest(request: IngestRequest, call: Asking): Promise<IngestResponse>;
  /** Stores one message that was made here, after earlier calls of its mailbox. `email` is absent where it has to be read. */
  store(mailbox: MailboxDocument, arrival: Arrival): Promise<{ emailId: string; email: EmailDocument | undefined }>;
  requireMailbox(workspaceId: string, mailboxId: string): Promise<MailboxDocument>;
  /** Ingests quarantined messages. A message that still cannot be parsed is reported, and not quarantined again. */
  again(mailboxId: string, messages: readonly Incoming[], call: Asking): Promise<Outcome[]>;
}

type Outcomes = Map<string, Outcome>;

/** One call, and what is known of its messages by now. */
interface Taking {
  mailbox: MailboxDocument;
  matcher: Matcher;
  at: Date;
  outcomes: Outcomes;
  /** An earlier call ended without an answer. */
  isRepeat?: boolean;
  signal: AbortSignal;
}

const NO_MAILBOX = 'There is no such mailbox; list the mailboxes for their ids.';

type Store = ReturnType<typeof createStoring>;

/** Ingest: known messages are answered at once. The others are parsed, put into threads and stored, or quarantined. */
export function createIngest(deps: IngestDeps): Ingest {
  const store = createStoring(deps);
  const counter = deps.context.metrics.counter('ingest_messages_total', 'Messages taken in, by outcome.');

  const requireMailbox = async (workspaceId: string, mailboxId: string) => {
    const mailbox = await deps.emails.findMailbox(workspaceId, mailboxId);
    if (!mailbox) throw new ApiError('MAILBOX_NOT_FOUND', { message: NO_MAILBOX });
    return mailbox;
  };
  const takeIn = async ({ mailbox, matcher, at, outcomes, signal }: Taking, fresh: readonly Incoming[]) => {
    const parse = (raw: Uint8Array) => deps.pool.parse(raw, mailbox.workspaceId, signal);
    const { arrivals, refusals } = await parseAll(parse, mailbox, fresh);
    const storeSome = async (some: readonly Arrival[]) => {
      const stored = await deps.queueByMailbox(mailbox._id, () =>
        storeMatched(matcher, store, { mailbox, arrivals: some, at }),
      );
      for (const outcome of stored.outcomes) outcomes.set(outcome.sourceKey, outcome);
      refusals.push(...stored.refusals);
    };
    await isolateFailures(arrivals, storeSome, ({ incoming }, error) => {
      deps.context.log.error({ err: error, mailboxId: mailbox._id }, 'a message cannot be stored');
      refusals.push({ incoming, cause: `storing it goes wrong (${error.name})` });
    });
    return refusals;
  };

  return {
    requireMailbox,
    store: async (mailbox, arrival) => {
      const { outcomes, refusals, written } = await deps.queueByMailbox(mailbox._id, () => store(mailbox, [arrival]));
      const [outcome] = [...outcomes];
      if (!outcome) throw new Error(`a message made here cannot be stored: ${refusals[0]?.cause}`);
      return { emailId: outcome.emailId ?? '', email: written?.[0] };
    },
    ingest: async (request, { workspaceId, signal }) => {
      const mailbox = await requireMailbox(workspaceId, request.mailboxId);
      const incoming = readIncoming(request.messages, mailbox);
      const matcher = deps.matcher(mailbox, request.epoch);
      await matcher.fence();
      const at = request.at === undefined ? deps.context.clock.date() : new Date(request.at);
      const outcomes: Outcomes = new Map();
      const taking = { mailbox, matcher, at, outcomes, isRepeat: request.isRepeat, signal };
      const takeInSome = async (some: readonly Incoming[]) => {
        const refusals = await takeIn(taking, await newOnes(deps, taking, some));
        for (const refusal of refusals) await putInQuarantine(deps, taking, refusal);
      };
      await (request.isRepeat ? takeInRepeat(deps, taking, incoming, takeInSome) : takeInSome(incoming));
      return { outcomes: answers(incoming, outcomes, counter) };
    },
    again: async (mailboxId, messages, { workspaceId, signal }) => {
      const mailbox = await requireMailbox(workspaceId, mailboxId);
      const outcomes: Outcomes = new Map();
      const taking = { mailbox, matcher: deps.matcher(mailbox), at: deps.context.clock.date(), outcomes, signal };
      const refusals = await takeIn(taking, messages);
      for (const refusal of refusals)
        outcomes.set(refusal.incoming.sourceKey, quarantinedOutcome(refusal.incoming.sourceKey, refusal.cause));
      return answers(messages, outcomes, counter);
    },
  };
}

async function putInQuarantine(
  { quarantine }: IngestDeps,
  { mailbox: { workspaceId, _id: mailboxId }, outcomes }: Taking,
  { incoming, cause }: Refusal,
): Promise<void> {
  await quarantine.keep(workspaceId, mailboxId, incoming, cause);
  outcomes.set(incoming.sourceKey, quarantinedOutcome(incoming.sourceKey, cause));
}

/**
 * Takes in messages one by one whose earlier call ended without an answer. One of them may end this process, so their
 * attempts are counted. A first call counts nothing, because nearly every message is harmless.
 */
async function takeInRepeat(
  deps: IngestDeps,
  taking: Taking,
  messages: readonly Incoming[],
  takeInSome: (some: readonly Incoming[]) => Promise<void>,
): Promise<void> {
  const { workspaceId, _id: mailboxId } = taking.mailbox;
  for (const incoming of messages) {
    const id = deterministicId('ing', workspaceId, mailboxId, incoming.sourceKey);
    try {
      await deps.attempts.attempt(workspaceId, id, () => takeInSome([incoming]));
    } catch (error) {
      if (!(error instanceof EndedItsProcess)) throw error;
      await putInQuarantine(deps, taking, { incoming, cause: error.message });
      // An operator's retry has its attempts again.
      await deps.attempts.forget(workspaceId, id);
    }
  }
}

/** A message with an IMAP location may be a stored email. The others are stored. */
async function storeMatched(
  matcher: Matcher,
  store: Store,
  { mailbox, arrivals, at }: { mailbox: MailboxDocument; arrivals: readonly Arrival[]; at: Date },
): Promise<Storing> {
  const matched = await matcher.match(arrivals, at);
  const { outcomes, refusals } = await store(mailbox, matched.fresh, matcher.fence);
  await matcher.merge(matched.copied);
  return { outcomes: [...matched.outcomes, ...outcomes], refusals };
}

/** The messages that are neither stored nor quarantined yet, each once. The others have their outcome already. */
async function newOnes(deps: IngestDeps, taking: Taking, incoming: readonly Incoming[]) {
  const { mailbox, matcher, at, outcomes, isRepeat = false } = taking;
  const { emails, quarantine } = deps;
  const { workspaceId, _id: mailboxId } = mailbox;
  const keys = [...new Set(incoming.map(({ sourceKey }) => sourceKey))];
  const located = new Set(incoming.filter(({ location }) => location).map(({ sourceKey }) => sourceKey));
  // A single message is nearly always new, and where it is not, the insert finds that.
  const named = keys.length === 1 && !isRepeat ? [] : keys.filter((key) => !located.has(key));
  const [stored, quarantined] = await Promise.all([
    named.length === 0 ? [] : emails.findBySource(workspaceId, mailboxId, named),
    quarantine.findBySource(workspaceId, mailboxId, keys),
  ]);
  for (const { sourceKey, cause } of quarantined) outcomes.set(sourceKey, quarantinedOutcome(sourceKey, cause));
  for (const { sourceKey, _id } of stored) outcomes.set(sourceKey, known(sourceKey, _id));
  const unfinished = stored.filter(({ isUnsettled }) => isUnsettled).map(({ _id }) => _id);
  await deps.queueByMailbox(mailboxId, async () => {
    await finish(deps, mailbox, unfinished, { isRepeat: true });
    for (const outcome of await matcher.known(incoming, at)) outcomes.set(outcome.sourceKey, outcome);
  });
  const bySource = new Map(incoming.toReversed().map((message) => [message.sourceKey, message]));
  return [...bySource.values()].toReversed().filter(({ sourceKey }) => !outcomes.has(sourceKey));
}

type Parse = (raw: Uint8Array) => ReturnType<ParsePool['parse']>;

async function parseAll(parse: Parse, mailbox: MailboxDocument, messages: readonly Incoming[]) {
  const arrivals: Arrival[] = [];
  const refusals: Refusal[] = [];
  const parsed = await Promise.all(
    messages.map(async (incoming) => ({ incoming, outcome: await parse(incoming.raw) })),
  );
  for (const { incoming, outcome } of parsed) {
    const hasFolder = folderOf(mailbox, incoming) !== undefined;
    if (outcome.kind === 'refused') refusals.push({ incoming, cause: outcome.cause });
    else if (!hasFolder) refusals.push({ incoming, cause: `the mailbox has no folder of type ${incoming.folderType}` });
    else arrivals.push(toArrival(mailbox, incoming, asDescribed(outcome.mail, incoming)));
  }
  return { arrivals, refusals };
}

/** The parser saw the beginning of a large message alone. */
function asDescribed(mail: ParsedMail, { described }: Incoming): ParsedMail {
  return described ? { ...mail, attachments: withStructure(mail.attachments, described) } : mail;
}

function answers(incoming: readonly Incoming[], outcomes: Outcomes, counter: Counter): Outcome[] {
  const seen = new Set<string>();
  return incoming.map(({ sourceKey }) => {
    const outcome = outcomes.get(sourceKey);
    if (!outcome) throw new Error('a message was left without an outcome');
    // The same key twice in one batch is one message: the second is known by then.
    const isRepeat = seen.has(sourceKey) && outcome.outcome === 'stored';
    seen.add(sourceKey);
    const answer = isRepeat ? known(sourceKey, outcome.emailId ?? '') : outcome;
    counter.add(1, { outcome: answer.outcome });
    return answer;
  });
}
