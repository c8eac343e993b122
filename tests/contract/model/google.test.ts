import { google } from '../../helpers/model-servers/google.ts';
import { describeProvider } from './suite.ts';

describeProvider('google', google);
