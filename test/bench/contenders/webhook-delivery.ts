import { systemClock } from '@postroom/runtime/clock';
import { openService } from '../../support/webhook-service.ts';
import { announce } from './report.ts';

const [settings = '{}'] = process.argv.slice(2);
void openService(systemClock, JSON.parse(settings) as Record<string, unknown>).then(({ address }) =>
  announce({ address }),
);
