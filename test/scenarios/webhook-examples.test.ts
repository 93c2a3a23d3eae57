import { languages } from '../support/webhook-example.ts';
import { describeReceiver } from '../support/webhook-receiver-checks.ts';

describeReceiver(languages.typescript);
describeReceiver(languages.python);
