import { describe, expect, it } from '@jest/globals';
import { service as gateway } from '@postroom/gateway/service';
import { service as labelRule } from '@postroom/label-rule/service';
import { service as mailboxRead } from '@postroom/mailbox-read/service';
import { service as mailboxSync } from '@postroom/mailbox-sync/service';
import { service as mailboxWrite } from '@postroom/mailbox-write/service';
import { service as outboundSend } from '@postroom/outbound-send/service';
import { ConfigError, readConfig } from '@postroom/runtime/config';
import { service as viewFilter } from '@postroom/view-filter/service';
import { service as workspace } from '@postroom/workspace/service';

const peers = [
  'WORKSPACE_ADDR',
  'IDENTITY_ADDR',
  'MAILBOX_READ_ADDR',
  'MAILBOX_WRITE_ADDR',
  'LABEL_RULE_ADDR',
  'VIEW_FILTER_ADDR',
  'OUTBOUND_SEND_ADDR',
  'CHANGES_ADDR',
  'WEBHOOK_DELIVERY_ADDR',
];

describe('a service without its variables', () => {
  it.each([
    { service: gateway, needs: [...peers, 'MONGODB_URI'] },
    { service: workspace, needs: ['MONGODB_URI'] },
    { service: viewFilter, needs: ['MONGODB_URI'] },
    { service: mailboxRead, needs: ['MONGODB_URI', 'MAILBOX_SYNC_ADDR'] },
    { service: mailboxWrite, needs: ['MONGODB_URI'] },
    { service: outboundSend, needs: ['MONGODB_URI', 'MAILBOX_WRITE_ADDR', 'LABEL_RULE_ADDR', 'MAILBOX_SYNC_ADDR'] },
    {
      service: mailboxSync,
      needs: ['MONGODB_URI', 'MAILBOX_WRITE_ADDR', 'WORKSPACE_OPERATOR_ADDR', 'MAILBOX_ACCESS_TOKEN'],
    },
    { service: labelRule, needs: ['MONGODB_URI', 'MAILBOX_WRITE_ADDR', 'VIEW_FILTER_ADDR'] },
  ])('$service.name names all that it lacks at once, and needs nothing else', ({ service: { config }, needs }) => {
    const refusal = new ConfigError(needs.map((name) => `${name} is missing`));
    expect(() => readConfig<unknown>(config, {})).toThrow(refusal);
    const enough = needs.map((name) => [name, name === 'MONGODB_URI' ? 'mongodb://127.0.0.1' : '127.0.0.1:1']);
    expect(() => readConfig<unknown>(config, Object.fromEntries(enough))).not.toThrow();
  });
});
