import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../support/client.ts';

/** A small reference of what a workspace holds: what a call should find is worked out here, by other means. */
export interface Model {
  labels: Map<string, Json>;
  views: Map<string, Json>;
  filters: Map<string, Json>;
  aiRules: Map<string, Json>;
  forwardRules: Map<string, Json>;
  emails: Map<string, ModelEmail>;
  drafts: Set<string>;
}

interface ModelEmail {
  isRead: boolean;
  isStarred: boolean;
  isInTrash: boolean;
  /** Those that people gave it; AI labels come when they come. */
  labels: Set<string>;
}

export const emptyModel = (): Model => ({
  labels: new Map(),
  views: new Map(),
  filters: new Map(),
  aiRules: new Map(),
  forwardRules: new Map(),
  emails: new Map(),
  drafts: new Set(),
});

export const newEmail = ({ isRead, isStarred }: Pick<ModelEmail, 'isRead' | 'isStarred'>): ModelEmail => ({
  isRead,
  isStarred,
  isInTrash: false,
  labels: new Set(),
});

/** The collection of each resource, by the first word of its address, and the word in its answers. */
export const COLLECTIONS = {
  labels: ['labels', 'label'],
  views: ['views', 'view'],
  filters: ['filters', 'filter'],
  'ai-label-rules': ['aiRules', 'rule'],
  'auto-forward-rules': ['forwardRules', 'rule'],
} as const;

/** Deletes a label. The service also removes it from emails and deletes its inbox filters. */
export function forgetLabel(model: Model, labelId: string): void {
  model.labels.delete(labelId);
  for (const { labels } of model.emails.values()) labels.delete(labelId);
  for (const [id, { type, value }] of model.filters)
    if (type === 'label' && value === labelId) model.filters.delete(id);
}

export function expectSame(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what}: found ${JSON.stringify(found)}, and the reference has ${JSON.stringify(expected)}`);
}

export const sorted = (ids: Iterable<string>) => [...ids].sort();
