import { bounds } from '@postroom/contract/bounds';
import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import type { ExpectedVerdictPart } from '@postroom/mail-store/documents/label';
import type {
  ExpectedVerdict,
  LabelRuleServiceDefinition,
  SetExpectedVerdictRequest,
} from '@postroom/proto/postroom/v1/label_rule';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import type { ExpectedEmailDocument, ExpectedVerdictStore } from './expected-verdict-store.ts';

export interface ExpectedVerdictDeps {
  expectedVerdicts: ExpectedVerdictStore;
}

const MOST = bounds.ruleTest.expectedVerdicts;

export function expectedVerdictHandlers({ expectedVerdicts: store }: ExpectedVerdictDeps) {
  return {
    listExpectedVerdicts: async ({ ruleId }, call) => {
      const { workspaceId } = call;
      const expected = (await store.ofRule(workspaceId, ruleId, call)) ?? notFound();
      const emailIds = expected.map(({ emailId }) => emailId);
      const emails = new Map((await store.emails(workspaceId, emailIds, call)).map((email) => [email._id, email]));
      return { items: expected.map((verdict) => toMessageExpectedVerdict(verdict, emails.get(verdict.emailId))) };
    },

    setExpectedVerdict: async (request, call) => {
      if (!(await store.ofRule(call.workspaceId, request.ruleId, call))) notFound();
      await set(store, request, call);
      return {};
    },
  } satisfies Partial<Handlers<LabelRuleServiceDefinition>>;
}

async function set(
  store: ExpectedVerdictStore,
  { ruleId, emailId, applies }: SetExpectedVerdictRequest,
  call: Call,
): Promise<void> {
  const { workspaceId } = call;
  if (applies === undefined) return store.remove(workspaceId, ruleId, emailId, call);
  if ((await store.emails(workspaceId, [emailId], call)).length === 0) throw new ApiError('EMAIL_NOT_FOUND');
  const verdict = { emailId, applies };
  // A call at the same time may add the email between the two, so the change is tried once more.
  const isSet =
    (await store.change(workspaceId, ruleId, verdict, call)) ||
    (await store.add(workspaceId, ruleId, verdict, MOST, call)) ||
    (await store.change(workspaceId, ruleId, verdict, call));
  if (!isSet) refuse('emailId', `a rule keeps at most ${MOST} expected verdicts`);
}

function toMessageExpectedVerdict(
  { emailId, applies }: ExpectedVerdictPart,
  email: ExpectedEmailDocument | undefined,
): ExpectedVerdict {
  return {
    emailId,
    applies,
    email: email && {
      mailboxId: email.mailboxId,
      subject: email.subject,
      from: { email: email.from.email, name: email.from.name ?? undefined },
      date: email.date.toISOString(),
    },
  };
}

function notFound(): never {
  throw new ApiError('RULE_NOT_FOUND');
}
