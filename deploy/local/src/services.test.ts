import { expect, it } from '@jest/globals';
import type { Feature } from '@postroom/contract/lists';
import { unneededServices } from './services.ts';

it.each<[Feature[], string[]]>([
  [[], ['changes', 'webhook-delivery']],
  [['threads'], ['changes', 'webhook-delivery']],
  [['changes'], ['webhook-delivery']],
  // Webhooks deliver what the feed has.
  [['webhooks'], []],
])('while %j are open, nothing needs %j', (open, unneeded) => expect(unneededServices(open)).toEqual(unneeded));
