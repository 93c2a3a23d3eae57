import { bounds } from '@postroom/contract/bounds';
import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import type { AiLabelRuleDocument } from '@postroom/mail-store/documents/label';
import type { CreateAiLabelRuleRequest, UpdateAiLabelRuleRequest } from '@postroom/proto/postroom/v1/label_rule';

/** The actions of a rule for matching emails. */
type AiRuleSettings = Pick<
  AiLabelRuleDocument,
  | 'condition'
  | 'autoDraftEnabled'
  | 'autoReplyEnabled'
  | 'autoReplyConfidenceThreshold'
  | 'autoReplyDelayMinutes'
  | 'autoReplyNotifyOnSend'
  | 'hideFromInbox'
>;

const SETTINGS = [
  'condition',
  'autoDraftEnabled',
  'autoReplyEnabled',
  'autoReplyConfidenceThreshold',
  'autoReplyDelayMinutes',
  'autoReplyNotifyOnSend',
  'hideFromInbox',
] as const satisfies (keyof AiRuleSettings)[];

const USUAL: Omit<AiRuleSettings, 'condition'> = {
  autoDraftEnabled: false,
  autoReplyEnabled: false,
  autoReplyConfidenceThreshold: bounds.autoReplyThreshold.usual,
  autoReplyDelayMinutes: bounds.autoReplyDelayMinutes.usual,
  autoReplyNotifyOnSend: false,
  hideFromInbox: false,
};

export function newSettings(request: CreateAiLabelRuleRequest): AiRuleSettings {
  return checked({ ...USUAL, condition: request.condition, ...given(request) });
}

/** The rule that results. Replies are made of drafts, so without auto-draft there is no auto-reply either. */
export function changedSettings(current: AiRuleSettings, request: UpdateAiLabelRuleRequest): AiRuleSettings {
  const change = given(request);
  const switchesOff = change.autoDraftEnabled === false && change.autoReplyEnabled === undefined;
  return checked({ ...picked(current), ...change, ...(switchesOff && { autoReplyEnabled: false }) });
}

/** A rule that replies sends: its condition, its threshold and its delay decide what leaves and to whom. */
export function requireMaySend(
  { autoReplyEnabled }: { autoReplyEnabled?: boolean | undefined },
  { maySend }: { maySend: boolean },
): void {
  if (autoReplyEnabled && !maySend) throw new ApiError('OUTBOUND_SEND_NOT_ALLOWED');
}

export function requirePaidPlan(request: CreateAiLabelRuleRequest | UpdateAiLabelRuleRequest): void {
  if ((request.autoReplyEnabled || request.autoDraftEnabled) && !request.planIsPaid) {
    throw new ApiError('PLAN_REQUIRED');
  }
}

/** A check of the body alone, before any read. */
export function refuseContradiction({ autoDraftEnabled, autoReplyEnabled }: UpdateAiLabelRuleRequest): void {
  if (autoReplyEnabled && autoDraftEnabled === false) refuseReplyAlone();
}

function checked(settings: AiRuleSettings): AiRuleSettings {
  if (settings.autoReplyEnabled && !settings.autoDraftEnabled) refuseReplyAlone();
  return settings;
}

function refuseReplyAlone(): never {
  refuse('autoReplyEnabled', 'works only together with autoDraftEnabled');
}

function given(request: Partial<AiRuleSettings>): Partial<AiRuleSettings> {
  return Object.fromEntries(Object.entries(picked(request)).filter(([, value]) => value !== undefined));
}

function picked<T extends Partial<AiRuleSettings>>(from: T): Pick<T, keyof AiRuleSettings> {
  return Object.fromEntries(SETTINGS.map((name) => [name, from[name]])) as Pick<T, keyof AiRuleSettings>;
}
