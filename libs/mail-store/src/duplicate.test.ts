import { describe, expect, it } from '@jest/globals';
import { isDuplicate } from './duplicate.ts';

const refused = (message: string, code = 11000) => Object.assign(new Error(message), { code });

describe('a duplicate', () => {
  it.each([
    'E11000 duplicate key error collection: a.labels index: workspace_name dup key: { workspaceId: "w" }',
    'E11000 duplicate key error index: a.labels.$workspace_name dup key: { : "w" }',
    'E11000 duplicate key value violates unique constraint "workspace_name"',
    'E11000 duplicate key error collection: a.labels',
    'E11000 duplicate key error collection: a.labels. Failed _id or unique index constraint.',
  ])('is one of the index that the message names, or that it does not: %s', (message) => {
    expect(isDuplicate(refused(message), 'workspace_name')).toBe(true);
  });

  it.each([
    refused('E11000 duplicate key error collection: a.labels index: workspace_name_2 dup key: { workspaceId: "w" }'),
    refused('E11000 duplicate key error index: a.labels.$_id_ dup key: { : "w" }'),
    refused('E11000 duplicate key value violates unique constraint "other"'),
    refused('not an index: workspace_name ', 26),
    new Error('index: workspace_name '),
    null,
  ])('is not one of another index, nor another error: %s', (error) => {
    expect(isDuplicate(error, 'workspace_name')).toBe(false);
  });
});
