import { languages } from '../support/webhook-example.ts';
import { describeReceiver } from '../support/webhook-receiver-checks.ts';

// Its first build on a machine compiles the standard library, which takes half a minute of processor time.
describeReceiver(languages.go);
