import { startEmbeddedMongo } from '@postroom/embedded/start';
import { announce } from './report.ts';

void startEmbeddedMongo({}).then(({ uri }) => announce({ uri }));
