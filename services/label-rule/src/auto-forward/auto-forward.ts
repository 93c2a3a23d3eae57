import { isAddress } from '@postroom/contract/address';
import { bounds } from '@postroom/contract/bounds';
import { AUTO_FORWARD_FIELDS, AUTO_FORWARD_MODES, isOneOf, mustBeOneOf } from '@postroom/contract/lists';
import { faultInText } from '@postroom/contract/text';
import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import { deterministicIdOf } from '@postroom/mail-store/create-once';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import { insertWithin } from '@postroom/mail-store/insert-within';
import type { UpdateAutoForwardRuleRequest } from '@postroom/proto/postroom/v1/label_rule';
import type { AutoForwardRule } from '@postroom/proto/postroom/v1/resources';
import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { Handlers } from '@postroom/rpc/definition';
import { autoForwardLogHandlers, type AutoForwardLogDeps } from './auto-forward-logs.ts';
import type { AutoForwardChange, AutoForwardStore } from './auto-forward-store.ts';

export type { AutoForwardStore };

export interface AutoForwardDeps extends AutoForwardLogDeps {
  autoForwards: AutoForwardStore;
}

export function autoForwardHandlers(deps: AutoForwardDeps) {
  const { autoForwards } = deps;
  const { clock } = deps.context;
  return {
    ...autoForwardLogHandlers(deps),

    listAutoForwardRules: async (_request, call) => ({
      items: (await autoForwards.list(call.workspaceId, call)).map(toMessageAutoForwardRule),
    }),

    getAutoForwardRule: async ({ ruleId }, call) =>
      toMessageAutoForwardRule((await autoForwards.find(call.workspaceId, ruleId, call)) ?? notFound()),

    createAutoForwardRule: async ({ isActive, ...request }, call) => {
      const settings = checkedSettings(request);
      const now = clock.date();
      const rule = { _id: deterministicIdOf('afr', call), ...settings, isActive, createdAt: now, updatedAt: now };
      const { workspaceId } = call;
      return toMessageAutoForwardRule(
        await insertWithin('autoForwardRules', {
          countOthers: () => autoForwards.countOthers(workspaceId, rule._id, call),
          insert: () => autoForwards.insert(workspaceId, rule, call),
          takeBack: () => autoForwards.delete(workspaceId, rule._id, call),
        }),
      );
    },

    updateAutoForwardRule: async ({ ruleId, ...request }, call) => {
      const change: AutoForwardChange = { ...checkedSettings(request), updatedAt: clock.date() };
      if (request.isActive !== undefined) change.isActive = request.isActive;
      return toMessageAutoForwardRule(
        (await autoForwards.change(call.workspaceId, ruleId, change, call)) ?? notFound(),
      );
    },

    deleteAutoForwardRule: async ({ ruleId }, call) => {
      if (!(await autoForwards.delete(call.workspaceId, ruleId, call))) notFound();
      return {};
    },
  } satisfies Partial<Handlers<LabelRuleServiceDefinition>>;
}

type Settings = Pick<AutoForwardRuleDocument, 'conditionField' | 'conditionValue' | 'forwardTo' | 'mode'>;
type Asked = Omit<UpdateAutoForwardRuleRequest, 'ruleId' | 'isActive'>;

/** The given fields, validated. Missing fields are left out. */
function checkedSettings(asked: { [Name in keyof Settings]: string }): Settings;
function checkedSettings(asked: Asked): Partial<Settings>;
function checkedSettings({ conditionField, conditionValue, forwardTo, mode }: Asked): Partial<Settings> {
  const settings: Partial<Settings> = {};
  if (conditionField !== undefined) {
    if (!isOneOf(AUTO_FORWARD_FIELDS, conditionField)) refuse('conditionField', mustBeOneOf(AUTO_FORWARD_FIELDS));
    settings.conditionField = conditionField;
  }
  if (conditionValue !== undefined) settings.conditionValue = checkedValue(conditionValue);
  if (forwardTo !== undefined) settings.forwardTo = checkedDestination(forwardTo);
  if (mode !== undefined) {
    if (!isOneOf(AUTO_FORWARD_MODES, mode)) refuse('mode', mustBeOneOf(AUTO_FORWARD_MODES));
    settings.mode = mode;
  }
  return settings;
}

function checkedValue(value: string): string {
  const trimmed = value.trim();
  const fault = faultInText(trimmed, bounds.autoForwardValue);
  return fault ? refuse('conditionValue', fault) : trimmed;
}

function checkedDestination(address: string): string {
  return isAddress(address.trim()) ? address.trim() : refuse('forwardTo', 'must be one plain email address');
}

function notFound(): never {
  throw new ApiError('RULE_NOT_FOUND');
}

function toMessageAutoForwardRule(rule: AutoForwardRuleDocument): AutoForwardRule {
  return {
    id: rule._id,
    conditionField: rule.conditionField,
    conditionValue: rule.conditionValue,
    forwardTo: rule.forwardTo,
    mode: rule.mode,
    isActive: rule.isActive,
    createdAt: rule.createdAt.toISOString(),
    updatedAt: rule.updatedAt.toISOString(),
  };
}
