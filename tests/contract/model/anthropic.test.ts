import { anthropic } from '../../helpers/model-servers/anthropic.ts';
import { describeProvider } from './suite.ts';

describeProvider('anthropic', anthropic);
