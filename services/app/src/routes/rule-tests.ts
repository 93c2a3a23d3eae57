import { bounds } from '@postroom/contract/bounds';
import type { EmailListItem } from '@postroom/contract/email-list-item';
import type { ModelSpend, TestVerdict } from '@postroom/proto/postroom/v1/classifier';
import type { ExpectedVerdict } from '@postroom/proto/postroom/v1/label_rule';
import { createRuleRequest } from '@postroom/resources/ai-label-rule';
import { listEmailsQuery } from '@postroom/resources/email-query';
import { z } from 'zod';
import type {
  ExpectedVerdictAnswer,
  ListOf,
  ModelSpendAnswer,
  PageOf,
  RuleTestAnswer,
  RuleTestEmailAnswer,
  RuleTestEstimateAnswer,
  TestVerdictAnswer,
} from '../answers/answers.ts';
import { defineAppRoute } from './route.ts';

const { emails, estimatedAtOnce, askedAtOnce } = bounds.ruleTest;

const id = z.string().min(bounds.id.min).max(bounds.id.max);
const testOf = (most: number) =>
  z.object({
    /** The rule that would be changed; a new one has none. */
    ruleId: id.optional(),
    condition: createRuleRequest.shape.condition,
    emailIds: z.array(id).min(emails.min).max(most),
  });

/** As a rule sees the inbox: also what a filter or a label hides. */
const IN_INBOX = JSON.stringify({ id: 'inbox', label: 'folder', type: 'equals', value: 'INBOX' });

/** Nothing here changes an email. The pages ask for a few emails at a time, so a run is theirs to show and to stop. */
export const ruleTestAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/rule-tests/emails',
    needs: 'admin',
    query: listEmailsQuery.pick({ mailboxId: true, search: true, cursor: true, limit: true }),
    call: async ({ query }, { mailboxRead }, visit): Promise<PageOf<RuleTestEmailAnswer>> => {
      const { json } = await mailboxRead.listEmails({ ...query, filteredOnly: false, filtersJson: IN_INBOX }, visit);
      const page = JSON.parse(Buffer.from(json).toString('utf8')) as PageOf<EmailListItem>;
      const items = page.items.map(({ id: emailId, mailboxId, from, subject, date }) => {
        return { emailId, mailboxId, from, subject, date };
      });
      return { items, nextCursor: page.nextCursor, hasMore: page.hasMore };
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/rule-tests/estimate',
    needs: 'admin',
    body: testOf(estimatedAtOnce),
    call: async ({ body }, { classifier }, visit): Promise<RuleTestEstimateAnswer> => {
      const answer = await classifier.estimateRuleTest(body, visit);
      const items = answer.emails.map(({ emailId, decided, decidedAt = '' }) => {
        return { emailId, before: decided ? { ...toJsonVerdict(decided), decidedAt } : null };
      });
      return { items, estimate: toJsonSpend(answer.estimate) };
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/rule-tests',
    needs: 'admin',
    body: testOf(askedAtOnce),
    call: async ({ body }, { classifier }, visit): Promise<RuleTestAnswer> => {
      const { emails: tested, spent, stopped = null } = await classifier.testRule(body, visit);
      const items = tested.map(({ emailId, verdict, failure = null }) => {
        return { emailId, after: verdict ? toJsonVerdict(verdict) : null, failure };
      });
      return { items, spent: toJsonSpend(spent), stopped };
    },
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/ai-label-rules/{ruleId}/expected-verdicts',
    needs: 'admin',
    call: async ({ params }, { labelRule }, visit): Promise<ListOf<ExpectedVerdictAnswer>> => ({
      items: (await labelRule.listExpectedVerdicts(params, visit)).items.map(toJsonExpectedVerdict),
    }),
  }),
  defineAppRoute({
    method: 'PUT',
    path: '/workspaces/{workspaceId}/ai-label-rules/{ruleId}/expected-verdicts/{emailId}',
    needs: 'admin',
    body: z.object({ applies: z.boolean() }),
    status: 204,
    call: ({ params, body }, { labelRule }, visit) => labelRule.setExpectedVerdict({ ...params, ...body }, visit),
  }),
  defineAppRoute({
    method: 'DELETE',
    path: '/workspaces/{workspaceId}/ai-label-rules/{ruleId}/expected-verdicts/{emailId}',
    needs: 'admin',
    status: 204,
    call: ({ params }, { labelRule }, visit) => labelRule.setExpectedVerdict(params, visit),
  }),
];

function toJsonExpectedVerdict({ emailId, applies, email }: ExpectedVerdict): ExpectedVerdictAnswer {
  const from = email?.from && { email: email.from.email, name: email.from.name ?? null };
  if (!email || !from) return { emailId, applies, email: null };
  const { mailboxId, subject, date } = email;
  return { emailId, applies, email: { emailId, mailboxId, from, subject, date } };
}

const toJsonVerdict = ({ applies, confidence, reason }: TestVerdict): TestVerdictAnswer => {
  return { applies, confidence, reason };
};

function toJsonSpend(spend: ModelSpend | undefined): ModelSpendAnswer {
  const { calls = 0, inputTokens = 0, outputTokens = 0, cost = 0 } = spend ?? {};
  return { calls, inputTokens, outputTokens, cost };
}
