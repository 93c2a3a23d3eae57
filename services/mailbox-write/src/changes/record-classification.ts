import { ApiError } from '@postroom/errors/api-error';
import type { ClassificationDocument, VerdictPart } from '@postroom/mail-store/documents/classification';
import { CLASSIFICATION_KEPT_MS } from '@postroom/mail-store/kept-for';
import type { RecordClassificationRequest, RuleVerdict } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Call } from '@postroom/rpc/call';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Handlers } from '@postroom/rpc/definition';
import type { ChangeDeps } from './change-deps.ts';
import { toOutboxEntry } from './email-change.ts';
import type { ClassifiedEmail } from './label-changes.ts';

/**
 * Records the verdicts of an email: its labels, the event of each, and the event that it is classified, in one write. The
 * verdicts are stored before, so that a repeat after a crash uses the first ones.
 */
export function createClassificationHandler(deps: ChangeDeps) {
  const { classifications, context } = deps;

  return {
    async keepVerdicts(request, call) {
      const email = toldOf(request) ?? (await find(deps, request.emailId, call));
      const said = toDocument(call.workspaceId, email, { ...request, isBackfill: false }, context.clock.date());
      const { verdicts, model, reply } = await keepFirst(deps, said, call);
      return { verdicts: verdicts.map(toMessageVerdict), model, reply };
    },

    async recordClassification(request, call) {
      const { workspaceId } = call;
      const email = toldOf(request) ?? (await find(deps, request.emailId, call));
      const said = toDocument(workspaceId, email, request, context.clock.date());
      if (request.isBackfill) {
        const isClassified = Boolean(email.classifiedAt);
        await classifications.keepLatest(workspaceId, said, isClassified, call);
        return {
          labelIds: await putOn(deps, email, { ...said, backfillId: request.backfillId }, call),
          othersKept: [],
        };
      }
      if (!email.classifiedAt) {
        const first = request.areKept ? said : await keepFirst(deps, said, call);
        if (request.unlessOthersKept && prevails(first, said))
          return { labelIds: [], othersKept: first.verdicts.map(toMessageVerdict) };
        return { labelIds: await putOn(deps, email, first, call), othersKept: [] };
      }
      const kept = (await classifications.find(workspaceId, email._id, call)) ?? said;
      return { labelIds: (await livingLabels(deps, kept, call)).map(({ _id }) => _id), othersKept: [] };
    },
  } satisfies Partial<Handlers<MailboxWriteServiceDefinition>>;
}

/**
 * The email as its classifier has read it, for the first attempt to write. Labels that are on it meanwhile, and an earlier
 * classification, make that write find nothing, and then the email is read. A backfill changes emails of any state.
 */
function toldOf({ emailId: _id, email, isBackfill }: RecordClassificationRequest): ClassifiedEmail | undefined {
  return email && !isBackfill ? { _id, ...email, labelIds: [] } : undefined;
}

/** The verdicts of a backfill are never the first ones. They stay where the email has its classification by now. */
async function keepFirst(deps: ChangeDeps, said: ClassificationDocument, call: Call): Promise<ClassificationDocument> {
  const { classifications } = deps;
  const kept = await classifications.keepFirst(call.workspaceId, said, call);
  if (!kept.isBackfill || (await find(deps, said._id, call)).classifiedAt) return kept;
  await classifications.replace(call.workspaceId, said, call);
  return said;
}

async function putOn(
  deps: ChangeDeps,
  read: ClassifiedEmail,
  said: ClassificationDocument & { backfillId?: string | undefined },
  call: Call,
): Promise<string[]> {
  const { emails, changes, relay } = deps;
  const labels = await livingLabels(deps, said, call);
  for (let email = read; said.isBackfill || !email.classifiedAt; email = await find(deps, email._id, call)) {
    const change = changes.classified(call.workspaceId, email, labels, said);
    if (said.isBackfill && change.labelsAdded?.length === 0) break;
    if (await emails.change(call.workspaceId, change, call)) {
      relay.publishSoon([toOutboxEntry(change)]);
      break;
    }
    // Another call has applied one of the labels, or was faster. The deadline of the call ends this loop.
    call.signal.throwIfAborted();
  }
  return labels.map(({ _id }) => _id);
}

/** Verdicts of an earlier attempt may have answered the email; those without an applying one have no effect to repeat. */
function prevails({ verdicts }: ClassificationDocument, said: ClassificationDocument): boolean {
  return verdicts.some(({ applies }) => applies) && effectOf(verdicts) !== effectOf(said.verdicts);
}

const effectOf = (verdicts: ClassificationDocument['verdicts']): string =>
  JSON.stringify(verdicts.map(({ ruleId, applies, confidence }) => [ruleId, applies, confidence]));

/** The labels that the rules apply and that still exist: a label is deleted with its rule. */
async function livingLabels({ lookups }: ChangeDeps, { verdicts }: ClassificationDocument, call: Call) {
  const labelIds = verdicts.filter(({ applies }) => applies).map(({ labelId }) => labelId);
  const labels = await lookups.labels(call.workspaceId, [...new Set(labelIds)], call);
  return labels.filter(({ isAiLabel }) => isAiLabel);
}

async function find({ emails, classifications }: ChangeDeps, emailId: string, call: Call): Promise<ClassifiedEmail> {
  const email = await emails.find(call.workspaceId, emailId, call);
  if (email) return email;
  // Verdicts may be kept before the email is read. They quote it, so they do not outlive it.
  await classifications.remove(call.workspaceId, emailId, call);
  throw new ApiError('EMAIL_NOT_FOUND');
}

function toDocument(
  workspaceId: string,
  { _id, mailboxId }: ClassifiedEmail,
  request: RecordClassificationRequest,
  createdAt: Date,
): ClassificationDocument {
  const expiresAt = new Date(createdAt.getTime() + CLASSIFICATION_KEPT_MS);
  const { model, inputTokens, outputTokens, durationMs, reply, isBackfill } = request;
  const verdicts = request.verdicts.map(toVerdict);
  const said = { verdicts, model, inputTokens, outputTokens, durationMs, ...(reply !== undefined && { reply }) };
  return { _id, workspaceId, mailboxId, ...said, isBackfill, createdAt, expiresAt };
}

function toVerdict({ ruleUpdatedAt, ...verdict }: RuleVerdict): VerdictPart {
  return { ...verdict, ...(ruleUpdatedAt !== undefined && { ruleUpdatedAt: new Date(ruleUpdatedAt) }) };
}

function toMessageVerdict({ ruleUpdatedAt, ...verdict }: VerdictPart): RuleVerdict {
  return { ...verdict, ruleUpdatedAt: ruleUpdatedAt?.toISOString() };
}
