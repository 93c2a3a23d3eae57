import { describeMoves } from './moving-world.test-support.ts';

describeMoves({ areTogether: true });
