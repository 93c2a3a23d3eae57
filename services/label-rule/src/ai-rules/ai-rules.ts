import { ApiError } from '@postroom/errors/api-error';
import { deterministicIdOf } from '@postroom/mail-store/create-once';
import type { AiLabelRuleDocument, LabelDocument } from '@postroom/mail-store/documents/label';
import { isDuplicate } from '@postroom/mail-store/duplicate';
import { insertWithin } from '@postroom/mail-store/insert-within';
import { toMessageLabelRef } from '@postroom/mail-store/label-ref';
import type { CreateAiLabelRuleRequest, UpdateAiLabelRuleRequest } from '@postroom/proto/postroom/v1/label_rule';
import type { AiLabelRule } from '@postroom/proto/postroom/v1/resources';
import type { Call } from '@postroom/rpc/call';
import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { AutoForwardStore } from '../auto-forward/auto-forward.ts';
import type { LabelStore } from '../labels/labels.ts';
import type { AiRuleStore } from './ai-rule-store.ts';
import { changedSettings, newSettings, refuseContradiction, requireMaySend, requirePaidPlan } from './ai-rule.ts';
import { TOMBSTONE_MS, type LabelCleanup } from '../label-cleanup/label-cleanup.ts';
import { namesThatChange, requireMaySendFor } from '../forwarded-names/forwarded-names.ts';
import { named, NAME_INDEX } from '../label-name/label-name.ts';

export type { AiRuleStore };

export interface AiRuleDeps {
  context: Pick<ServiceContext, 'clock'>;
  labels: LabelStore;
  aiRules: AiRuleStore;
  autoForwards: Pick<AutoForwardStore, 'forwardedNames'>;
  labelCleanup: Pick<LabelCleanup, 'begin'>;
}

type RuleReads = Pick<AiRuleDeps, 'aiRules' | 'labels'>;

export function aiRuleHandlers(deps: AiRuleDeps) {
  const { aiRules, labels, labelCleanup, context } = deps;
  return {
    listAiLabelRules: async (_request, call) => {
      const [rules, living] = await Promise.all([
        aiRules.list(call.workspaceId, call),
        labels.list(call.workspaceId, call),
      ]);
      const byId = new Map(living.map((label) => [label._id, label]));
      return { items: rules.flatMap((rule) => toMessageAiLabelRule(rule, byId.get(rule.labelId)) ?? []) };
    },

    getAiLabelRule: async ({ ruleId }, call) => {
      const { rule, label } = await findRule(ruleId, call, deps);
      return toMessageAiLabelRule(rule, label) ?? notFound();
    },

    createAiLabelRule: (request, call) => create(request, call, deps),
    updateAiLabelRule: (request, call) => update(request, call, deps),

    deleteAiLabelRule: async ({ ruleId, maySend }, call) => {
      const { rule, label } = await findRule(ruleId, call, deps);
      await requireMaySendFor([label.name], { maySend }, call, deps);
      // The label is deleted first: from then on the rule is invisible, and the sweep completes the rest after a crash.
      const tombstone = await labels.bury(call.workspaceId, label, context.clock.date(), call);
      if (!tombstone) return notFound();
      await aiRules.delete(call.workspaceId, rule._id);
      await labelCleanup.begin(tombstone, call);
      return {};
    },
  } satisfies Partial<Handlers<LabelRuleServiceDefinition>>;
}

async function create(request: CreateAiLabelRuleRequest, call: Call, deps: AiRuleDeps): Promise<AiLabelRule> {
  const { aiRules, labels, context } = deps;
  const { workspaceId } = call;
  const settings = newSettings(request);
  requireMaySend(request, request);
  await requireMaySendFor([request.name], request, call, deps);
  requirePaidPlan(request);
  const now = context.clock.date();
  const labelId = deterministicIdOf('lbl', call);
  const label = {
    _id: labelId,
    ...named(request.name),
    color: request.color,
    isAiLabel: true,
    createdAt: now,
    deletedAt: null,
  };
  const rule = {
    ...settings,
    _id: deterministicIdOf('air', call),
    labelId,
    expectedVerdicts: [],
    createdAt: now,
    updatedAt: now,
  };
  const before = new Date(now.getTime() - TOMBSTONE_MS);
  // The rule is stored first. It is invisible without its label, so an AI label without a rule is never visible.
  const made = await insertWithin('aiLabelRules', {
    countOthers: () => aiRules.countOthers(workspaceId, rule._id, before, call),
    insert: () => aiRules.insert(workspaceId, rule, call),
    takeBack: () => aiRules.delete(workspaceId, rule._id),
  });
  try {
    const shown = await insertWithin('labels', {
      countOthers: () => labels.countOthers(workspaceId, labelId, call),
      insert: () => labels.insert(workspaceId, label, call),
      takeBack: () => labels.remove(workspaceId, labelId, call),
    });
    return toMessageAiLabelRule(made, shown) ?? notFound();
  } catch (error) {
    // Refused for good; anything else may have made the label after all, and is found by the repeat.
    const isTaken = isDuplicate(error, NAME_INDEX);
    if (isTaken || error instanceof ApiError) await aiRules.delete(workspaceId, rule._id);
    throw isTaken ? new ApiError('DUPLICATE_RULE', { cause: error }) : error;
  }
}

async function update(request: UpdateAiLabelRuleRequest, call: Call, deps: AiRuleDeps): Promise<AiLabelRule> {
  const { aiRules, context } = deps;
  refuseContradiction(request);
  requireMaySend(request, request);
  // A changed rule means that another call is done, so this loop ends, or the deadline of the call ends it.
  while (!call.signal.aborted) {
    const { rule, settings } = await permitted(request, call, deps);
    const label = await changeLabel(rule, request, call, deps);
    // It is always later than before, so that two changes of one millisecond differ.
    const updatedAt = new Date(Math.max(context.clock.now(), rule.updatedAt.getTime() + 1));
    const changed = await aiRules.change(call.workspaceId, rule, { ...settings, updatedAt }, call);
    if (changed) return toMessageAiLabelRule(changed, label) ?? notFound();
  }
  throw new ApiError('QUERY_TIMEOUT');
}

/** The rule with what it becomes, for a caller who may do that: permission is asked before plan, plan before existence. */
async function permitted(request: UpdateAiLabelRuleRequest, call: Call, deps: AiRuleDeps) {
  const found = await lookup(request.ruleId, call, deps);
  const name = found?.label.name;
  const namesAtStake = [
    ...namesThatChange(name, request.name),
    // Its condition decides which emails get the name that they are forwarded by.
    ...(name !== undefined && request.condition !== undefined ? [name] : []),
  ];
  await requireMaySendFor(namesAtStake, request, call, deps);
  const settings = found && changedSettings(found.rule, request);
  if (settings) requireMaySend(settings, request);
  requirePaidPlan(request);
  return found && settings ? { rule: found.rule, settings } : notFound();
}

async function changeLabel(
  { labelId }: AiLabelRuleDocument,
  { name, color }: UpdateAiLabelRuleRequest,
  call: Call,
  { labels }: AiRuleDeps,
): Promise<LabelDocument> {
  const change = { ...(name !== undefined && named(name)), ...(color !== undefined && { color }) };
  if (Object.keys(change).length === 0) return (await labels.find(call.workspaceId, labelId, call)) ?? notFound();
  try {
    return (await labels.change(call.workspaceId, { _id: labelId, isAiLabel: true }, change, call)) ?? notFound();
  } catch (error) {
    throw isDuplicate(error, NAME_INDEX) ? new ApiError('DUPLICATE_RULE', { cause: error }) : error;
  }
}

/** The rule with its label, or RULE_NOT_FOUND. */
export async function findRule(ruleId: string, call: Call, deps: RuleReads) {
  return (await lookup(ruleId, call, deps)) ?? notFound();
}

async function lookup(ruleId: string, call: Call, { aiRules, labels }: RuleReads) {
  const rule = await aiRules.find(call.workspaceId, ruleId, call);
  const label = rule && (await labels.find(call.workspaceId, rule.labelId, call));
  return rule && label ? { rule, label } : undefined;
}

function notFound(): never {
  throw new ApiError('RULE_NOT_FOUND');
}

function toMessageAiLabelRule(rule: AiLabelRuleDocument, label: LabelDocument | undefined): AiLabelRule | undefined {
  if (!label) return undefined;
  return {
    id: rule._id,
    label: toMessageLabelRef(label),
    condition: rule.condition,
    autoDraftEnabled: rule.autoDraftEnabled,
    autoReplyEnabled: rule.autoReplyEnabled,
    autoReplyConfidenceThreshold: rule.autoReplyConfidenceThreshold,
    autoReplyDelayMinutes: rule.autoReplyDelayMinutes,
    autoReplyNotifyOnSend: rule.autoReplyNotifyOnSend,
    hideFromInbox: rule.hideFromInbox,
    createdAt: rule.createdAt.toISOString(),
    updatedAt: rule.updatedAt.toISOString(),
  };
}
