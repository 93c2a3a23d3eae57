import { ApiError } from '@postroom/errors/api-error';
import type { ClassificationDocument, VerdictPart } from '@postroom/mail-store/documents/classification';
import { CLASSIFICATION_KEPT_MS } from '@postroom/mail-store/kept-for';
import type { RecordClassificationRequest, RuleVerdict } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Call } from '@postroom/rpc/call';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Handlers } from '@postroom/rpc/definition';
import type { ChangeDeps } from './change-deps.ts';
import type { ChangedEmail } from './change-store.ts';
import { toOutboxEntry } from './email-change.ts';

/**
 * Records the verdicts of an email: its labels, the event of each, and the event that it is classified, in one write. The
 * verdicts are stored before, so that a repeat after a crash uses the first ones.
 */
export function createClassificationHandler(deps: ChangeDeps) {
  const { classifications, context } = deps;

  return {
    async keepVerdicts(request, call) {
      const email = await find(deps, request.emailId, call);
      const said = toDocument(call.workspaceId, email, { ...request, isBackfill: false }, context.clock.date());
      const { verdicts } = await classifications.keepFirst(call.workspaceId, said, call);
      return { verdicts: verdicts.map(toMessageVerdict) };
    },

    async recordClassification(request, call) {
      const { workspaceId } = call;
      const email = await find(deps, request.emailId, call);
      const said = toDocument(workspaceId, email, request, context.clock.date());
      if (request.isBackfill) {
        await classifications.keepLatest(workspaceId, said, call);
        return { labelIds: await putOn(deps, email, said, call), othersKept: [] };
      }
      if (!email.classifiedAt) {
        const first = await classifications.keepFirst(workspaceId, said, call);
        if (request.unlessOthersKept && prevails(first, said))
          return { labelIds: [], othersKept: first.verdicts.map(toMessageVerdict) };
        return { labelIds: await putOn(deps, email, first, call), othersKept: [] };
      }
      const kept = (await classifications.find(workspaceId, email._id, call)) ?? said;
      return { labelIds: (await livingLabels(deps, kept, call)).map(({ _id }) => _id), othersKept: [] };
    },
  } satisfies Partial<Handlers<MailboxWriteServiceDefinition>>;
}

async function putOn(
  deps: ChangeDeps,
  read: ChangedEmail,
  said: ClassificationDocument,
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
async function livingLabels({ surroundings }: ChangeDeps, { verdicts }: ClassificationDocument, call: Call) {
  const labelIds = verdicts.filter(({ applies }) => applies).map(({ labelId }) => labelId);
  const labels = await surroundings.labels(call.workspaceId, [...new Set(labelIds)], call);
  return labels.filter(({ isAiLabel }) => isAiLabel);
}

async function find({ emails }: ChangeDeps, emailId: string, call: Call): Promise<ChangedEmail> {
  const email = await emails.find(call.workspaceId, emailId, call);
  if (!email) throw new ApiError('EMAIL_NOT_FOUND');
  return email;
}

function toDocument(
  workspaceId: string,
  { _id, mailboxId }: ChangedEmail,
  request: RecordClassificationRequest,
  createdAt: Date,
): ClassificationDocument {
  const expiresAt = new Date(createdAt.getTime() + CLASSIFICATION_KEPT_MS);
  const { model, inputTokens, outputTokens, durationMs, isBackfill } = request;
  const verdicts = request.verdicts.map(toVerdict);
  const cost = { model, inputTokens, outputTokens, durationMs };
  return { _id, workspaceId, mailboxId, verdicts, ...cost, isBackfill, createdAt, expiresAt };
}

function toVerdict({ ruleUpdatedAt, ...verdict }: RuleVerdict): VerdictPart {
  return { ...verdict, ...(ruleUpdatedAt !== undefined && { ruleUpdatedAt: new Date(ruleUpdatedAt) }) };
}

function toMessageVerdict({ ruleUpdatedAt, ...verdict }: VerdictPart): RuleVerdict {
  return { ...verdict, ruleUpdatedAt: ruleUpdatedAt?.toISOString() };
}
