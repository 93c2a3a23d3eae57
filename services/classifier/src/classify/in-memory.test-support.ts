import type { RecordClassificationRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import type { ScheduleReplyRequest } from '@postroom/proto/postroom/v1/outbound_send';
import { type Clock, manualClock } from '@postroom/runtime/clock';
import type { Asking, ClassifyDeps } from './classify.ts';
import type { KeptAnswers } from './kept-answers-store.ts';
import type { AskedEmail } from './mail-store.ts';
import type { Model } from '../model/model.ts';
import type { Rule } from './rule-store.ts';

const RULE: Rule = {
  _id: 'air_1',
  labelId: 'lbl_1',
  condition: 'asks',
  updatedAt: new Date(0),
  autoDraftEnabled: true,
  autoReplyEnabled: true,
  autoReplyConfidenceThreshold: 80,
  autoReplyDelayMinutes: 5,
};
/** The availability of a model that is a part of the process. */
export const alwaysAvailable: Model['availability'] = { isAvailable: () => true, check: async () => true };

/** An email of Bob to Ann, with the given parts. */
export const askedEmail = (parts: Partial<AskedEmail> = {}): AskedEmail => ({
  _id: 'eml_1',
  mailboxId: 'mbx_1',
  threadId: 'thr_1',
  folderType: 'INBOX',
  from: { email: 'bob@other.example', name: null },
  senderAddress: 'bob@other.example',
  senderDomain: 'other.example',
  isAutomatic: false,
  to: [{ email: 'ann@acme.example', name: null }],
  cc: [],
  mailboxIn: 'to',
  subject: 'Price',
  date: new Date(0),
  attachments: [],
  replyTo: null,
  failsDmarc: false,
  ...parts,
});

const firstState = () => ({
  email: askedEmail(),
  rules: [RULE],
  /** The labels that were deleted while the model was asked. */
  deletedLabels: [] as string[],
  /** The call that is the last of its process, the next time that it is made. */
  lastCall: undefined as 'scheduleReply' | 'recordClassification' | undefined,
  /** The error that outbound-send answers instead. */
  refuse: undefined as Error | undefined,
  reply: 'It costs ten.' as string | undefined,
  onJudge: () => undefined as void,
  /** Whether the model finds that the rules apply. */
  applies: true,
  kept: undefined as KeptAnswers | undefined,
  asked: [] as string[],
  /** The number of replies that the model was asked for. */
  written: 0,
  scheduled: [] as ScheduleReplyRequest[],
  operations: [] as string[],
  recorded: [] as RecordClassificationRequest[],
  calls: [] as string[],
});
type State = ReturnType<typeof firstState>;

/** Everybody is a stranger, and nobody has a name. */
export const withStrangers: ClassifyDeps['correspondence'] = {
  hasWrittenToSender: async () => false,
  contextOf: async () => ({ thread: [], owner: { name: null, signature: null } }),
};

/** No condition is compiled. */
export const withoutPatterns: ClassifyDeps['compiled'] = {
  of: async () => ({ verdicts: undefined, learn: async () => undefined }),
};

/** One workspace with one rule and one email, a model that finds that every rule applies, and all that is called. */
export function inMemory({ clock = manualClock() }: { clock?: Pick<Clock, 'now'> } = {}) {
  const state = firstState();
  const deps: ClassifyDeps = {
    clock,
    mail: { body: async () => ({ html: null, text: 'What does it cost?' }) },
    correspondence: withStrangers,
    rulesOf: async () => [...state.rules],
    livingRules: async (_workspaceId, rules) => rules.filter(({ labelId }) => !state.deletedLabels.includes(labelId)),
    compiled: withoutPatterns,
    model: modelOf(state),
    modelUse: { of: () => () => undefined },
    ...callees(state),
  };
  const asking = (more: Partial<Asking> = {}): Asking => ({
    workspaceId: 'wsp_1',
    email: state.email,
    signal: new AbortController().signal,
    ...more,
  });
  return Object.assign(state, { deps, asking, rule: () => state.rules[0] ?? RULE });
}

function modelOf(state: State): Model {
  return {
    availability: alwaysAvailable,
    judge: async ({ rules }) => {
      state.asked.push(...rules.map(({ condition }) => condition));
      state.onJudge();
      const verdicts = rules.map(({ ruleId }) => ({ ruleId, applies: state.applies, confidence: 90, reason: 'so' }));
      return { verdicts, model: 'm', inputTokens: 1, outputTokens: 1 };
    },
    reply: async () => {
      state.written += 1;
      return state.reply;
    },
  };
}

function callees(state: State): Pick<ClassifyDeps, 'answers' | 'outboundSend' | 'mailboxWrite'> {
  const survive = (call: State['lastCall']) => {
    if (state.lastCall !== call) return;
    state.lastCall = undefined;
    throw new Error('killed');
  };
  return {
    answers: { find: async () => state.kept && { ...state.kept, model: 'm', areKept: true } },
    outboundSend: {
      scheduleReply: async (request, context) => {
        state.operations.push(context.operationId ?? '');
        survive('scheduleReply');
        if (state.refuse) throw state.refuse;
        state.scheduled.push(request as ScheduleReplyRequest);
        return { draftId: 'eml_draft' };
      },
    },
    mailboxWrite: {
      keepVerdicts: async ({ verdicts, reply }) => {
        state.calls.push('keepVerdicts');
        return (state.kept ??= { verdicts, reply } as KeptAnswers);
      },
      recordClassification: async (request) => {
        state.calls.push('recordClassification');
        survive('recordClassification');
        if (request.unlessOthersKept && state.kept) return { labelIds: [], othersKept: state.kept.verdicts };
        state.recorded.push(request as RecordClassificationRequest);
        return { labelIds: [], othersKept: [] };
      },
    },
  };
}
