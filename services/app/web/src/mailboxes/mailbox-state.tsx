import type { MailboxAnswer, SyncAnswer } from '@postroom/app/answers';
import { Badge } from '../parts/badge.tsx';
import { isFirstSync } from './progress.ts';

export function MailboxState({ status, sync }: { status: MailboxAnswer['status']; sync: SyncAnswer | null }) {
  if (status === 'disconnected') return <Badge tone="bad">Disconnected</Badge>;
  if (sync && sync.failCount > 0) return <Badge tone="warn">Fails</Badge>;
  if (isFirstSync(sync)) return <Badge tone="accent">First sync</Badge>;
  return <Badge tone="good">Active</Badge>;
}
