import { randomIds } from '@postroom/runtime/ids';
import type { TestStack } from './stack.ts';

/** An AI label, put where its rule would put it. */
export async function storeAiLabel(stack: TestStack, workspaceId: string, name: string): Promise<string> {
  const _id = randomIds('lbl');
  const nameKey = name.toLowerCase();
  const label = {
    _id,
    workspaceId,
    name,
    nameKey,
    color: 'Pink',
    isAiLabel: true,
    createdAt: new Date(),
    deletedAt: null,
  };
  await stack.collections.labels.create([label]);
  return _id;
}
