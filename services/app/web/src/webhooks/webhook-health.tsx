import type { WebhookAnswer } from '@postroom/app/answers';
import { Badge } from '../parts/badge.tsx';
import { Moment } from '../time/moment.tsx';

export function WebhookHealth({ webhook: { status, failingSince, disabledAt } }: { webhook: WebhookAnswer }) {
  if (status === 'disabled') {
    return (
      <Badge tone="bad">
        Disabled <Moment at={disabledAt} none="" />
      </Badge>
    );
  }
  if (status === 'paused') return <Badge tone="quiet">Paused</Badge>;
  if (failingSince) {
    return (
      <Badge tone="warn">
        Fails since <Moment at={failingSince} />
      </Badge>
    );
  }
  return <Badge tone="good">Healthy</Badge>;
}
